import type { Clock, Instant } from '../effects.ts';
import { HermesError, ModelError, type ModelErrorCode } from '../errors.ts';
import type { ChatEvent, ModelAttempt, Usage } from '../model.ts';
import { deltasOf } from './_deltas.ts';
import { errorOf, resultOf, type ScriptedAnswer, toolCallsOf, usageOf } from './script.ts';
import type { Latency } from './scripted-model.ts';

/** One call of a scripted model. */
type Scene = Readonly<{
  answer: ScriptedAnswer;
  call: number;
  modelId: string;
  clock: Clock;
  deltaLength: number;
  latency: Latency | undefined;
  signal: AbortSignal;
}>;

/** All that happens in one call: attempts that fail, then the one that counts. */
export async function* play(scene: Scene): AsyncGenerator<ChatEvent> {
  const failures = scene.answer.failedAttempts ?? [];
  for (const [index, code] of failures.entries()) yield* failedAttempt(scene, index + 1, code);
  yield* lastAttempt(scene, failures.length + 1);
}

function* failedAttempt(scene: Scene, number: number, code: ModelErrorCode): Generator<ChatEvent> {
  const startedAt = scene.clock.now();
  yield { type: 'attempt_start', attemptId: attemptId(scene, number), number };
  yield* firstDelta(scene);
  yield attemptEnd(scene, number, startedAt, errorOf(code));
}

async function* lastAttempt(scene: Scene, number: number): AsyncGenerator<ChatEvent> {
  const { answer, call, modelId } = scene;
  const startedAt = scene.clock.now();
  const toolCalls = toolCallsOf(answer, call);
  yield { type: 'attempt_start', attemptId: attemptId(scene, number), number };
  try {
    await waitForAnswer(scene);
    for (const delta of deltasOf(answer, toolCalls, scene.deltaLength)) {
      throwIfAborted(scene.signal);
      yield delta;
    }
    if (answer.hang) await untilAborted(scene.signal);
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

async function waitForAnswer({ answer, clock, latency, signal }: Scene): Promise<void> {
  const ms = answer.latencyMs ?? drawLatency(latency);
  if (ms === 0) return;
  try {
    await clock.sleep(ms, signal);
  } catch (cause) {
    throw cancelled(cause);
  }
}

function drawLatency(latency: Latency | undefined): number {
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
    endedAt: scene.clock.now(),
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

/** Throws what a model throws for an aborted call. */
export function throwIfAborted(signal: AbortSignal): void {
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

const UNKNOWN_USAGE: Usage = {
  inputTokens: null,
  outputTokens: null,
  totalTokens: null,
  cachedTokens: null,
  cacheWriteTokens: null,
  reasoningTokens: null,
};
