import { setMaxListeners } from 'node:events';
import type {
  Effects,
  ErrorInfo,
  GenerateRequest,
  ModelAttempt,
  TokenEvent,
  Tokenizer,
  TokenOutput,
} from '@hermes/protocol';
import { asModelError } from './as-model-error.ts';
import { Channel } from './channel.ts';
import { generateAnswer } from './generate-answer.ts';
import type { SequencePool } from './sequence-pool.ts';

/** A checked request and what answers it. */
export type GenerationJob = Readonly<{
  request: GenerateRequest;
  /** How many tokens the context has left behind the prompt. */
  room: number;
  isEnd: (id: number) => boolean;
  tokenizer: Tokenizer;
  sequences: SequencePool;
  effects: Effects;
  signal: AbortSignal;
}>;

type Answers = Readonly<{ outputs: readonly TokenOutput[]; cachedTokens: number }>;

/** All answers of a request at once, as far as there are sequences for them; their deltas as they come. */
export async function* generateAnswers(job: GenerationJob): AsyncGenerator<TokenEvent> {
  const attempt = beginAttempt(job);
  yield { type: 'attempt_start', attemptId: attempt.attemptId, number: 1 };
  const left = new AbortController();
  const deltas = new Channel<TokenEvent>();
  const signal = AbortSignal.any([job.signal, left.signal]);
  const answers = answerAll({ ...job, signal }, deltas);
  // Its error is taken below; a consumer that leaves early does not come so far.
  void answers.then(
    () => deltas.end(),
    () => deltas.end(),
  );
  try {
    for await (const delta of deltas) {
      attempt.firstTokenAt ??= job.effects.clock.now().monoMs;
      yield delta;
    }
    const { outputs, cachedTokens } = await answers;
    yield { type: 'attempt_end', attempt: endAttempt(attempt, job, outputs, cachedTokens, null) };
    yield { type: 'result', outputs, promptIds: job.request.ids, cachedTokens };
  } catch (cause) {
    const error = asModelError('SERVER', 'generate', cause);
    yield { type: 'attempt_end', attempt: endAttempt(attempt, job, [], null, error.toInfo()) };
    throw error;
  } finally {
    // Also when the consumer left: nothing runs on behind its back.
    left.abort();
    await answers.catch(() => undefined);
  }
}

async function answerAll(job: GenerationJob, deltas: Channel<TokenEvent>): Promise<Answers> {
  const { request, effects } = job;
  const seed = request.sampling.seed ?? Math.floor(effects.random.next() * 2 ** 32);
  const others = new AbortController();
  const signal = AbortSignal.any([job.signal, others.signal]);
  // Each answer that waits for a sequence listens, and there may be hundreds.
  setMaxListeners(0, signal);
  const running = Array.from({ length: request.n }, (_, choice) =>
    generateAnswer({ ...job, signal }, seed + choice, (id, logprob) =>
      deltas.push({ type: 'tokens_delta', choice, ids: [id], logprobs: [logprob] }),
    ).catch((error: unknown) => {
      others.abort(error);
      throw error;
    }),
  );
  const settled = await Promise.allSettled(running);
  if (others.signal.aborted) throw others.signal.reason;
  const answers = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  return {
    outputs: answers.map(({ output }) => output),
    // Of the prompt, which is counted once: what every answer had of it.
    cachedTokens: Math.min(...answers.map((answer) => answer.cachedTokens)),
  };
}

type StartedAttempt = {
  readonly attemptId: string;
  readonly startedAt: ModelAttempt['startedAt'];
  firstTokenAt: number | undefined;
};

function beginAttempt({ effects }: GenerationJob): StartedAttempt {
  return {
    attemptId: effects.newId('attempt'),
    startedAt: effects.clock.now(),
    firstTokenAt: undefined,
  };
}

function endAttempt(
  { attemptId, startedAt, firstTokenAt }: StartedAttempt,
  { request, effects }: GenerationJob,
  outputs: readonly TokenOutput[],
  cachedTokens: number | null,
  error: ErrorInfo | null,
): ModelAttempt {
  const outputTokens = outputs.reduce((sum, { ids }) => sum + ids.length, 0);
  const inputTokens = request.ids.length;
  return {
    attemptId,
    number: 1,
    modelCallId: null,
    responseId: null,
    modelId: null,
    startedAt,
    endedAt: effects.clock.now(),
    firstTokenMs: firstTokenAt === undefined ? null : firstTokenAt - startedAt.monoMs,
    statusCode: null,
    usage: {
      inputTokens,
      outputTokens: error === null ? outputTokens : null,
      totalTokens: error === null ? inputTokens + outputTokens : null,
      cachedTokens,
      cacheWriteTokens: null,
      reasoningTokens: null,
    },
    error,
  };
}
