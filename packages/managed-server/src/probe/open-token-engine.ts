import { type Effects, ModelError, type TokenEngine } from '@hermes/protocol';
import { withDefaultEffects } from '../_default-effects.ts';
import type { EngineDialect } from '../engines/engine-dialect.ts';
import { createWireEngine } from '../engines/wire-engine.ts';
import { withinLimit } from '../engines/within-limit.ts';
import type { EngineWire } from '../wire/engine-wire.ts';
import { createHttpWire } from '../wire/http-wire.ts';
import { createRunpodWire } from '../wire/runpod-wire.ts';
import { askOneToken } from './ask-one-token.ts';
import { detectServer, type ServerFacts } from './detect-server.ts';
import { DIALECTS } from './dialects.ts';
import { type ModelFacts, modelFacts } from './model-facts.ts';
import { type RunpodAddress, runpodAddress } from './runpod-address.ts';
import {
  type ResolvedEngineSettings,
  resolveSettings,
  type TokenEngineSettings,
} from './settings.ts';

/** Options of `openTokenEngine`. */
export type OpenEngineOptions = Readonly<{
  effects?: Partial<Effects>;
  signal?: AbortSignal;
  /** A kind of server of one's own; it wins over `serverType`. */
  dialect?: EngineDialect;
  /** Default true: one token is asked for, so that a server without ids or log-probs is found now. */
  probe?: boolean;
}>;

/** An engine that was reached, and what was found. Close the engine. */
export type OpenedEngine = Readonly<{
  engine: TokenEngine;
  /** null = the dialect was given. */
  server: ServerFacts | null;
}>;

/**
 * Opens an engine over HTTP: finds out which kind of server it is where that is not said, and asks it
 * for one token. Throws what every later call would end with: `CONNECTION`, `AUTH`, `NOT_FOUND`,
 * `TOKENS_MISSING` for a server that gives no ids or log-probs, `CONFIG` for wrong settings.
 */
export async function openTokenEngine(
  given: TokenEngineSettings,
  options: OpenEngineOptions = {},
): Promise<OpenedEngine> {
  const settings = resolveSettings(given);
  const effects = withDefaultEffects(options.effects);
  const address = runpodAddress(settings);
  const wire = openWire(settings, address, effects);
  try {
    return await opened(settings, address, wire, effects, options);
  } catch (error) {
    await wire.close();
    throw error;
  }
}

async function opened(
  settings: ResolvedEngineSettings,
  address: RunpodAddress,
  wire: EngineWire,
  effects: Effects,
  options: OpenEngineOptions,
): Promise<OpenedEngine> {
  const signal = options.signal ?? new AbortController().signal;
  const ask = <T>(work: (limited: AbortSignal) => Promise<T>) =>
    withinLimit(effects.clock, settings.timeoutMs, signal, wire.address, work);
  const isBehindQueue = address.runpod === 'gateway' || address.runpod === 'queue';
  const server = options.dialect
    ? null
    : await ask((limited) => serverFacts(settings, wire, limited));
  const facts = isBehindQueue
    ? UNKNOWN_FACTS
    : await ask((limited) => modelFacts(wire, settings.model, limited));
  const dialect = options.dialect ?? DIALECTS[server?.serverType ?? 'openai'];
  const engine = createWireEngine(
    isBehindQueue ? withoutAborts(dialect) : dialect,
    wire,
    {
      model: settings.model ?? facts.model ?? 'default',
      stream: settings.stream,
      timeoutMs: settings.timeoutMs,
      maxAttempts: settings.maxAttempts,
      retryDelayMs: settings.retryDelayMs,
      contextTokens: settings.contextTokens ?? facts.contextTokens,
      vocabularySize: settings.vocabularySize ?? facts.vocabularySize ?? null,
    },
    effects,
  );
  if (options.probe !== false) await askOneToken(engine, signal);
  return { engine, server };
}

const UNKNOWN_FACTS: ModelFacts = { model: null, contextTokens: null, vocabularySize: null };

/** A queue that is asked which kind of server is behind it starts a worker for every question. */
async function serverFacts(
  { serverType }: ResolvedEngineSettings,
  wire: EngineWire,
  signal: AbortSignal,
): Promise<ServerFacts> {
  return serverType === 'auto' ? detectServer(wire, signal) : { serverType, version: null };
}

function openWire(
  settings: ResolvedEngineSettings,
  { baseUrl, runpod }: RunpodAddress,
  { clock }: Effects,
): EngineWire {
  const { apiKey = null, headers, serverType } = settings;
  const http = createHttpWire({ baseUrl, apiKey, headers }, clock);
  if (runpod === 'none' || runpod === 'load_balancer') return http;
  if (serverType !== 'sglang' && serverType !== 'vllm' && serverType !== 'vllm_inference')
    throw new ModelError(
      'CONFIG',
      `RunPod at ${http.address}: say which worker it runs, serverType sglang or vllm.`,
    );
  const worker = serverType === 'sglang' ? 'sglang' : 'vllm';
  return createRunpodWire(http, { worker, by: runpod }, clock);
}

/** A request to abort would be a job of its own, for any worker. */
function withoutAborts({ abortRequest: _, ...dialect }: EngineDialect): EngineDialect {
  return { ...dialect, abort: 'connection' };
}
