import type { Clock, Instant } from '../effects.ts';
import { HermesError, ModelError } from '../errors.ts';
import type { ChatEvent, ModelAttempt, Usage } from '../model.ts';
import { deltasOf } from './_deltas.ts';
import { errorOf, resultOf, type ScriptedAnswer, toolCallsOf, usageOf } from './script.ts';
import type { Latency } from './scripted-model.ts';

/** One call of a scripted model. */
export type Scene = Readonly<{
  answer: ScriptedAnswer;
  call: number;
  modelId: string;
  clock: Clock;
  deltaLength: number;
  latency: Latency | undefined;
  signal: AbortSignal;
}>;

/**
 * All that happens in one call: attempts that fail, then the one that counts. One generator without
 * inner asynchronous ones: each of those would cost every event a few promises more.
 */
export async function* play(open: () => Promise<Scene>): AsyncGenerator<ChatEvent> {
  const scene = await open();
  for (const event of failedAttempts(scene)) yield event;
  const number = (scene.answer.failedAttempts?.length ?? 0) + 1;
  const startedAt = scene.clock.now();
  const toolCalls = toolCallsOf(scene.answer, scene.call);
  yield { type: 'attempt_start', attemptId: attemptId(scene, number), number };
  try {
    await waitForAnswer(scene);
    for (const delta of deltasOf(scene.answer, toolCalls, scene.deltaLength)) {
      throwIfAborted(scene.signal);
      yield delta;
    }
    await end(scene);
  } catch (error) {
    yield attemptEnd(scene, number, startedAt, error);
    throw error;
  }
  yield attemptEnd(scene, number, startedAt, null);
  const { answer, modelId, call } = scene;
  yield { type: 'result', result: resultOf(answer, toolCalls, modelId, call) };
}

function* failedAttempts(scene: Scene): Generator<ChatEvent> {
  for (const [index, code] of (scene.answer.failedAttempts ?? []).entries()) {
    const number = index + 1;
    const startedAt = scene.clock.now();
    yield { type: 'attempt_start', attemptId: attemptId(scene, number), number };
    yield* firstDelta(scene);
    yield attemptEnd(scene, number, startedAt, errorOf(code));
  }
}

async function end({ answer, signal }: Scene): Promise<void> {
  if (answer.hang) await untilAborted(signal);
  if (answer.error !== undefined) throw errorOf(answer.error);
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
