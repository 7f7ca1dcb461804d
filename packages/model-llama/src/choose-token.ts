import type { Sampling } from '@hermes/protocol';
import { createUniform } from './uniform.ts';

type Candidate = { readonly id: number; readonly logprob: number; weight: number };

/**
 * Chooses tokens as vLLM does: penalties, temperature, then `topK`, `topP` and `minP`, each of what
 * the one before has left. The log-prob it tells is the one before all of that.
 */
export function createTokenChooser(
  sampling: Sampling,
  seed: number,
): (probabilities: ReadonlyMap<number, number>) => { id: number; logprob: number } {
  const uniform = createUniform(seed);
  const counts = new Map<number, number>();
  return (probabilities) => {
    const candidates = narrow(weigh(probabilities, sampling, counts), sampling);
    const chosen = draw(candidates, uniform());
    counts.set(chosen.id, (counts.get(chosen.id) ?? 0) + 1);
    return { id: chosen.id, logprob: chosen.logprob };
  };
}

/** Sorted by falling weight. Penalties are for what the answer has already, as often as it has it. */
function weigh(
  probabilities: ReadonlyMap<number, number>,
  sampling: Sampling,
  counts: ReadonlyMap<number, number>,
): Candidate[] {
  const { temperature = 1, frequencyPenalty = 0, presencePenalty = 0 } = sampling;
  const candidates: Candidate[] = [];
  for (const [id, probability] of probabilities) {
    if (probability === 0) continue;
    const logprob = Math.log(probability);
    const count = counts.get(id) ?? 0;
    const penalty = count * frequencyPenalty + (count > 0 ? presencePenalty : 0);
    candidates.push({ id, logprob, weight: logprob - penalty });
  }
  candidates.sort((a, b) => b.weight - a.weight);
  return toProbabilities(temperature === 0 ? candidates.slice(0, 1) : candidates, temperature || 1);
}

function toProbabilities(candidates: Candidate[], temperature: number): Candidate[] {
  const highest = candidates[0]?.weight ?? 0;
  for (const one of candidates) one.weight = Math.exp((one.weight - highest) / temperature);
  return normalise(candidates);
}

function narrow(all: Candidate[], { topK = 0, topP = 1, minP = 0 }: Sampling): Candidate[] {
  const likeliest = topK > 0 ? normalise(all.slice(0, topK)) : all;
  let sum = 0;
  const nucleus = likeliest.filter(({ weight }) => {
    const isNeeded = sum < topP;
    sum += weight;
    return isNeeded;
  });
  const least = minP * (nucleus[0]?.weight ?? 0);
  return normalise(nucleus.filter(({ weight }) => weight >= least));
}

function normalise(candidates: Candidate[]): Candidate[] {
  const sum = candidates.reduce((total, { weight }) => total + weight, 0);
  for (const one of candidates) one.weight /= sum;
  return candidates;
}

function draw(candidates: readonly Candidate[], chance: number): Candidate {
  let left = chance;
  let chosen: Candidate | undefined;
  for (const one of candidates) {
    chosen = one;
    left -= one.weight;
    if (left < 0) break;
  }
  if (chosen === undefined) throw new Error('llama.cpp gave no token a probability');
  return chosen;
}
