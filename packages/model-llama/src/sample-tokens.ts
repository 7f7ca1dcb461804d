import { type GenerateRequest, ModelError, type Sampling } from '@hermes/protocol';
import type { LlamaContextSequence, Token } from 'node-llama-cpp';
import { createTokenChooser } from './choose-token.ts';
import { isKnowable } from './is-knowable.ts';
import { throwIfAborted } from './throw-if-aborted.ts';

/** A sampled token, and the logarithm of the probability that the model itself gave it. */
export type SampledToken = Readonly<{ id: number; logprob: number }>;

/** llama.cpp's own sampling of the distribution as it is. Its defaults would narrow it. */
const PLAIN = { topK: 0, topP: 1, minP: 0, yieldEogToken: true } as const;

/**
 * Samples token after token behind the prompt, of which all but the last has been evaluated. It goes
 * on until the consumer stops.
 */
export async function* sampleTokens(
  sequence: LlamaContextSequence,
  { ids, sampling }: GenerateRequest,
  seed: number,
  signal: AbortSignal,
): AsyncGenerator<SampledToken> {
  const last = ids.slice(-1) as Token[];
  const tokens = leavesDistribution(sampling)
    ? sampleThere(sequence, last, sampling.temperature ?? 1, seed)
    : sampleHere(sequence, last, createTokenChooser(sampling, seed));
  throwIfAborted(signal);
  for await (const token of tokens) {
    throwIfAborted(signal);
    if (!isKnowable(token.logprob))
      throw new ModelError('TOKENS_MISSING', `llama.cpp gave no probability for ${token.id}.`);
    yield token;
  }
}

/** llama.cpp tells probabilities after it has narrowed and bent the distribution: only where it does neither are they the model's. */
function leavesDistribution(sampling: Sampling): boolean {
  const { temperature = 1, topK = 0, topP = 1, minP = 0 } = sampling;
  const isWhole = topK <= 0 && topP === 1 && minP === 0;
  const isUnbent = !sampling.frequencyPenalty && !sampling.presencePenalty;
  return isUnbent && (temperature === 0 || (temperature === 1 && isWhole));
}

async function* sampleThere(
  sequence: LlamaContextSequence,
  last: Token[],
  temperature: number,
  seed: number,
): AsyncGenerator<SampledToken> {
  const options = { ...PLAIN, temperature, seed: seed >>> 0 };
  for await (const { token, confidence } of sequence.evaluateWithMetadata(
    last,
    { confidence: true },
    options,
  ))
    yield { id: token, logprob: Math.log(confidence) };
}

async function* sampleHere(
  sequence: LlamaContextSequence,
  last: Token[],
  choose: (probabilities: ReadonlyMap<number, number>) => SampledToken,
): AsyncGenerator<SampledToken> {
  const steps = sequence.evaluateWithMetadata(
    last,
    { probabilities: true },
    { ...PLAIN, temperature: 0 },
  );
  try {
    let step = await steps.next();
    while (!step.done) {
      const chosen = choose(step.value.probabilities);
      yield chosen;
      step = await steps.next(chosen.id as Token);
    }
  } finally {
    await steps.return();
  }
}
