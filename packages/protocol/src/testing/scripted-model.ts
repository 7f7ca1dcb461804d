import type { Clock, Instant, Random } from '../effects.ts';
import { HermesError, ModelError, type ModelErrorCode } from '../errors.ts';
import type {
  ChatEvent,
  ChatModel,
  ChatRequest,
  ModelAttempt,
  ModelCallContext,
  ModelCapabilities,
  Usage,
} from '../model.ts';
import { deltasOf } from './_deltas.ts';
import { fakeClock } from './fake-clock.ts';
import {
  answerOf,
  errorOf,
  resultOf,
  type Script,
  type ScriptedAnswer,
  toolCallsOf,
  usageOf,
} from './script.ts';

/** A call that was made to a scripted model. */
export type RecordedCall = Readonly<{ request: ChatRequest; context: ModelCallContext }>;

/** A model that plays a script and remembers what it was asked. */
export interface ScriptedModel extends ChatModel {
  readonly calls: readonly RecordedCall[];
  /** Whether `close` was called. */
  readonly closed: boolean;
  close(): Promise<void>;
}

/** Options of `scriptedModel`. */
export type ScriptedModelOptions = Readonly<{
  /** Default `scripted`. */
  modelId?: string;
  /** Default: no token ids, no images, tool choice, streaming, context size not known. */
  capabilities?: Partial<ModelCapabilities>;
  /** Stamps attempts and times the latency; default a fake clock that never moves. */
  clock?: Clock;
  /** Waits before each answer, drawn evenly from the range. Default none. */
  latency?: Readonly<{ minMs: number; maxMs: number; random: Random }>;
  /** Longest piece of a delta in UTF-16 units; default 16. Infinity: one delta a part; 0: none at all. */
  deltaLength?: number;
  /** False: forget the calls (for long benchmarks). Default true. */
  record?: boolean;
}>;

/**
 * A `ChatModel` that answers by a script: one turn for all calls, a list of turns, or a function.
 * It is shared and stateless but for its place in the list and the calls it remembers.
 */
export function scriptedModel(script: Script, options: ScriptedModelOptions = {}): ScriptedModel {
  const settings = { ...options, clock: options.clock ?? fakeClock() };
  const modelId = options.modelId ?? 'scripted';
  const calls: RecordedCall[] = [];
  let started = 0;
  let closed = false;
  return {
    specificationVersion: 'v1',
    provider: 'scripted',
    modelId,
    capabilities: { ...CAPABILITIES, ...options.capabilities },
    calls,
    get closed() {
      return closed;
    },
    async *chat(request, context) {
      const call = started;
      started += 1;
      if (options.record !== false) calls.push({ request, context });
      throwIfAborted(context.signal);
      const answer = await answerOf(script, request, context, call);
      yield* play({ answer, call, modelId, settings, context });
    },
    async close() {
      closed = true;
    },
  };
}

const CAPABILITIES: ModelCapabilities = {
  tokenIds: false,
  images: false,
  toolChoice: true,
  streaming: true,
  contextTokens: null,
};

const UNKNOWN_USAGE: Usage = {
  inputTokens: null,
  outputTokens: null,
  totalTokens: null,
  cachedTokens: null,
  cacheWriteTokens: null,
  reasoningTokens: null,
};

type Scene = Readonly<{
  answer: ScriptedAnswer;
  call: number;
  modelId: string;
  settings: ScriptedModelOptions & Readonly<{ clock: Clock }>;
  context: ModelCallContext;
}>;

async function* play(scene: Scene): AsyncGenerator<ChatEvent> {
  const failures = scene.answer.failedAttempts ?? [];
  for (const [index, code] of failures.entries()) yield* failedAttempt(scene, index + 1, code);
  yield* lastAttempt(scene, failures.length + 1);
}

function* failedAttempt(scene: Scene, number: number, code: ModelErrorCode): Generator<ChatEvent> {
  const startedAt = scene.settings.clock.now();
  yield { type: 'attempt_start', attemptId: attemptId(scene, number), number };
  yield* firstDelta(scene);
  yield attemptEnd(scene, number, startedAt, errorOf(code));
}

async function* lastAttempt(scene: Scene, number: number): AsyncGenerator<ChatEvent> {
  const { answer, call, modelId } = scene;
  const startedAt = scene.settings.clock.now();
  const toolCalls = toolCallsOf(answer, call);
  yield { type: 'attempt_start', attemptId: attemptId(scene, number), number };
  try {
    await waitForAnswer(scene);
    for (const delta of deltasOf(answer, toolCalls, scene.settings.deltaLength ?? 16)) {
      throwIfAborted(scene.context.signal);
      yield delta;
    }
    if (answer.hang) await untilAborted(scene.context.signal);
    if (answer.error !== undefined) throw errorOf(answer.error);
  } catch (error) {
    yield attemptEnd(scene, number, startedAt, error);
    throw error;
  }
  yield attemptEnd(scene, number, startedAt, null);
  yield { type: 'result', result: resultOf(answer, toolCalls, modelId, call) };
}

/** What a reader has to throw away when the attempt fails. */
function* firstDelta(scene: Scene): Generator<ChatEvent> {
  const deltas = deltasOf(scene.answer, toolCallsOf(scene.answer, scene.call), 16);
  const first = deltas.next();
  if (!first.done) yield first.value;
}

async function waitForAnswer({ answer, settings, context }: Scene): Promise<void> {
  const ms = answer.latencyMs ?? drawLatency(settings);
  if (ms === 0) return;
  try {
    await settings.clock.sleep(ms, context.signal);
  } catch (cause) {
    throw cancelled(cause);
  }
}

function drawLatency({ latency }: ScriptedModelOptions): number {
  return latency ? latency.minMs + latency.random.next() * (latency.maxMs - latency.minMs) : 0;
}

function attemptId(scene: Scene, number: number): string {
  return `attempt_${scene.call}_${number}`;
}

function attemptEnd(scene: Scene, number: number, startedAt: Instant, error: unknown): ChatEvent {
  const attempt: ModelAttempt = {
    attemptId: attemptId(scene, number),
    number,
    modelCallId: null,
    responseId: error === null ? `response_${scene.call}` : null,
    modelId: scene.modelId,
    startedAt,
    endedAt: scene.settings.clock.now(),
    firstTokenMs: null,
    statusCode: null,
    usage: error === null ? usageOf(scene.answer) : UNKNOWN_USAGE,
    error: error === null ? null : asModelError(error).toInfo(),
  };
  return { type: 'attempt_end', attempt };
}

function asModelError(error: unknown): HermesError {
  if (HermesError.isInstance(error)) return error;
  return new ModelError('SERVER', error instanceof Error ? error.message : String(error));
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw cancelled(signal.reason);
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const abort = () => reject(cancelled(signal.reason));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

function cancelled(cause: unknown): ModelError {
  return new ModelError('CANCELLED', 'The scripted call was aborted.', { cause });
}
