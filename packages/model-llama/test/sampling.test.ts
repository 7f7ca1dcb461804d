import { defaultScript } from '@hermes/automaton';
import type { Sampling } from '@hermes/protocol';
import { describe, expect, it } from 'vitest';
import { createTokenChooser } from '../src/choose-token.ts';
import {
  answer,
  generate,
  openAutomaton,
  question,
  questionWithTools,
  toolResult,
} from './_engine.ts';

const { engine, tokenizer } = await openAutomaton({ script: { ...defaultScript, callAgain: 0.8 } });

const manners: readonly Sampling[] = [
  {},
  { temperature: 0 },
  { temperature: 0.6 },
  { temperature: 1.7 },
  { topK: 20 },
  { topP: 0.7 },
  { minP: 0.05 },
  { frequencyPenalty: 1, presencePenalty: 0.5 },
  { temperature: 0.8, topK: 50, topP: 0.95, minP: 0.02, frequencyPenalty: 0.3 },
];

it.each(manners)('tells the log-probs of the model itself, sampled with %o', async (manner) => {
  const ids = question(tokenizer);
  const output = await answer(engine, ids, { seed: 11, maxTokens: 40, ...manner });
  const scores = await engine.score?.([...ids, ...output.ids], 0, new AbortController().signal);
  for (const [index, logprob] of output.logprobs.entries())
    expect(Math.abs(logprob - (scores?.[ids.length + index]?.logprob ?? 1))).toBeLessThan(1e-3);
});

describe('a forced pass', () => {
  it('has an entry for each id, none for the first, and the likeliest ids in order', async () => {
    const ids = [...questionWithTools(tokenizer), 363];
    const scores = (await engine.score?.(ids, 3, new AbortController().signal)) ?? [];
    expect(scores).toHaveLength(ids.length);
    expect(scores[0]).toBeNull();
    const next = await engine.score?.([...ids, 370], 2, new AbortController().signal);
    expect(next?.at(-1)?.topIds).toEqual([369, 370]);
    expect(next?.at(-1)?.logprob).toBeCloseTo(Math.log(0.48), 3);
    expect(next?.at(-1)?.topLogprobs[0]).toBeCloseTo(Math.log(0.52), 3);
  });

  it('leaves out what is too unlikely for a 32-bit float', async () => {
    const ids = [...questionWithTools(tokenizer), 363, 10];
    expect((await engine.score?.(ids, 1, new AbortController().signal))?.at(-1)).toBeNull();
  });

  it('gives no id that never can be a log-prob of minus infinity among the likeliest', async () => {
    const ids = [...questionWithTools(tokenizer), 363, 370, 364];
    const last = (await engine.score?.(ids, 384, new AbortController().signal))?.at(-1);
    expect(last?.topLogprobs.every(Number.isFinite)).toBe(true);
    expect(last?.topIds).toContain(364);
  });
});

it('samples by the chances of the script', async () => {
  const first = questionWithTools(tokenizer);
  const again = [...first, 363, 370, 364, 2, ...toolResult(tokenizer, 'hello')];
  const { result } = await generate(engine, {
    ids: again,
    n: 400,
    sampling: { seed: 100, maxTokens: 1 },
  });
  const calls = result.outputs.filter(({ ids }) => ids[0] === 363).length;
  // Four deviations of a fair draw.
  expect(Math.abs(calls - 320)).toBeLessThan(4 * Math.sqrt(400 * 0.8 * 0.2));
});

describe('the choice of a token', () => {
  const probabilities = new Map([
    [1, 0.5],
    [2, 0.3],
    [3, 0.15],
    [4, 0.05],
    [5, 0],
  ]);
  const chosen = (sampling: Sampling): Set<number> => {
    const ids = Array.from({ length: 200 }, (_, seed) => createTokenChooser(sampling, seed));
    return new Set(ids.map((choose) => choose(probabilities).id));
  };

  it.each<[Sampling, number[]]>([
    [{}, [1, 2, 3, 4]],
    [{ temperature: 100 }, [1, 2, 3, 4]],
    [{ topK: 2 }, [1, 2]],
    [{ topK: -1 }, [1, 2, 3, 4]],
    [{ topP: 0.5 }, [1]],
    [{ topP: 0.81 }, [1, 2, 3]],
    [{ minP: 0.25 }, [1, 2, 3]],
    [{ topK: 3, topP: 0.8 }, [1, 2]],
    [{ temperature: 0 }, [1]],
    [{ temperature: 0.01 }, [1]],
  ])('with %o is of what that leaves', (sampling, expected) => {
    expect([...chosen(sampling)].sort()).toEqual(expected);
  });

  it('weighs by temperature', () => {
    const choices = Array.from({ length: 4000 }, (_, seed) =>
      createTokenChooser({ temperature: 0.5 }, seed)(probabilities),
    );
    // 0.5² of the sum of the squares
    expect(choices.filter(({ id }) => id === 1).length / 4000).toBeCloseTo(0.6849, 1);
    expect(choices.find(({ id }) => id === 2)?.logprob).toBeCloseTo(Math.log(0.3), 6);
  });

  it('takes what an answer has often the less', () => {
    const choose = createTokenChooser({ temperature: 0, frequencyPenalty: 0.4 }, 1);
    expect(Array.from({ length: 5 }, () => choose(probabilities).id)).toEqual([1, 1, 2, 1, 2]);
  });

  it('takes what an answer has once the less', () => {
    const choose = createTokenChooser({ temperature: 0, presencePenalty: 2 }, 1);
    expect(Array.from({ length: 4 }, () => choose(probabilities).id)).toEqual([1, 2, 3, 1]);
  });
});
