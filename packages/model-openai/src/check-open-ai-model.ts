import type { Effects, ModelCallContext, ModelErrorCode } from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';
import { field, parseJson } from './_json.ts';
import { guardError, openError } from './attempt-errors.ts';
import { createAttemptGuard } from './attempt-guard.ts';
import { chat } from './chat.ts';
import { type OpenModel, openModel } from './open-model.ts';
import { readLimited } from './read-limited.ts';
import type { OpenAiModelSettings } from './settings.ts';

/** Options of `checkOpenAiModel`. */
export type CheckOptions = Readonly<{ signal: AbortSignal; effects?: Partial<Effects> }>;

const CHECK_TIMEOUT_MS = 30_000;
const LIST_BYTES = 16_777_216;

/** What makes every later call fail as well. */
const FATAL: ReadonlySet<string> = new Set<ModelErrorCode>([
  'AUTH',
  'CANCELLED',
  'CONFIG',
  'CONNECTION',
  'NOT_FOUND',
]);

/**
 * Finds out before a run whether the endpoint is there, takes the key and knows the model: asks for the
 * list of models, and for one token where the model is not on it (not every server lists what it serves).
 * Throws the `ModelError` that every call would end with; what may pass, such as a 429, is no error.
 */
export async function checkOpenAiModel(
  settings: OpenAiModelSettings,
  options: CheckOptions,
): Promise<void> {
  const once = { ...settings, maxAttempts: 1, timeoutMs: CHECK_TIMEOUT_MS };
  const model = openModel(once, options.effects);
  if (await ignoringPassing(isListed(model, options.signal))) return;
  await ignoringPassing(askOneToken(model, options.signal));
}

/** False also where the server has no such list. */
async function isListed(model: OpenModel, signal: AbortSignal): Promise<boolean> {
  const { effects, settings, target, transport } = model;
  const guard = createAttemptGuard(signal, effects.clock, settings.timeoutMs);
  try {
    const response = await transport.models(guard.signal);
    const text = response.body ? await readLimited(response.body, LIST_BYTES, 'refuse') : '';
    return modelNames(parseJson(text)).includes(settings.model);
  } catch (thrown) {
    const reason = guard.reason();
    if (reason !== null) throw guardError(target, reason, settings);
    const error = openError(target, thrown, effects.clock.now().wallMs);
    if (error.code === 'NOT_FOUND') return false;
    throw error;
  } finally {
    guard.end();
  }
}

function modelNames(list: unknown): readonly unknown[] {
  const data = field(list, 'data');
  return Array.isArray(data) ? data.map((entry) => field(entry, 'id')) : [];
}

async function askOneToken(model: OpenModel, signal: AbortSignal): Promise<void> {
  const request = {
    messages: [{ role: 'user', content: 'Hi' } as const],
    sampling: { maxTokens: 1 },
  };
  const context: ModelCallContext = {
    signal,
    rolloutId: 'check',
    invocationId: 'root',
    turn: null,
    purpose: 'tool',
    split: 'eval',
  };
  for await (const event of chat(model, request, context)) {
    if (event.type === 'result') return;
  }
}

async function ignoringPassing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (HermesError.isInstance(error) && !FATAL.has(error.code)) return null;
    throw error;
  }
}
