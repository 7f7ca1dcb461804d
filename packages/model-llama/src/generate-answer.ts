import type { TokenFinish, TokenOutput } from '@hermes/protocol';
import type { LlamaContextSequence } from 'node-llama-cpp';
import { createStopFinder } from './find-stop.ts';
import type { GenerationJob } from './generate-answers.ts';
import { keepKnown } from './keep-known.ts';
import { sampleTokens } from './sample-tokens.ts';

/** One answer, and how much of the prompt was there from before. */
export type Answer = Readonly<{ output: TokenOutput; cachedTokens: number }>;

/** Generates one answer in a sequence of its own. `onToken` hears each token as it is sampled. */
export function generateAnswer(
  job: GenerationJob,
  seed: number,
  onToken: (id: number, logprob: number) => void,
): Promise<Answer> {
  return job.sequences.use(job.request.ids, job.signal, async (sequence) => {
    const cachedTokens = await keepKnown(sequence, job.request.ids, job.signal);
    return { output: await sampleAnswer(job, sequence, seed, onToken), cachedTokens };
  });
}

async function sampleAnswer(
  job: GenerationJob,
  sequence: LlamaContextSequence,
  seed: number,
  onToken: (id: number, logprob: number) => void,
): Promise<TokenOutput> {
  const { request, room } = job;
  const most = Math.min(room, request.sampling.maxTokens ?? room);
  const finishOf = createFinish(job, most);
  const ids: number[] = [];
  const logprobs: number[] = [];
  for await (const { id, logprob } of sampleTokens(sequence, request, seed, job.signal)) {
    ids.push(id);
    logprobs.push(logprob);
    onToken(id, logprob);
    const finish = finishOf(id, ids.length);
    if (finish !== null) return { ids, logprobs, finish, weightVersion: null };
  }
  throw new Error('unreachable: sampling ends by itself only with an error');
}

/** Why the answer is at its end with this token; null = it is not. */
function createFinish(
  { request, isEnd, tokenizer }: GenerationJob,
  most: number,
): (id: number, count: number) => TokenFinish | null {
  const stopIds = new Set(request.stopIds);
  const findStop = createStopFinder(request.sampling.stop ?? [], tokenizer);
  return (id, count) => {
    if (isEnd(id) || stopIds.has(id)) return { type: 'stop', matchedId: id, matchedText: null };
    const matchedText = findStop(id);
    if (matchedText !== null) return { type: 'stop', matchedId: null, matchedText };
    return count >= most ? { type: 'length' } : null;
  };
}
