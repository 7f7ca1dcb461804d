import type { GenerateRequest } from '@hermes/protocol';
import { describe, expect, it } from 'vitest';
import { answer, generate, openAutomaton, question } from './_engine.ts';

const { engine, tokenizer } = await openAutomaton({ contextTokens: 512, sequences: 1 });
const ids = question(tokenizer);
const never = new AbortController().signal;

describe('refused before anything is evaluated', () => {
  const refusals: readonly [string, Partial<GenerateRequest>, string][] = [
    ['an id above the vocabulary', { ids: [384] }, 'TOKENS_INVALID'],
    ['an id below it', { ids: [-1] }, 'TOKENS_INVALID'],
    ['half an id', { ids: [1.5] }, 'TOKENS_INVALID'],
    ['an id that is no number', { ids: [Number.NaN] }, 'TOKENS_INVALID'],
    ['a stop id above the vocabulary', { stopIds: [384] }, 'TOKENS_INVALID'],
    ['no prompt', { ids: [] }, 'BAD_REQUEST'],
    ['no answers', { n: 0 }, 'BAD_REQUEST'],
    ['an answer of no tokens', { sampling: { maxTokens: 0 } }, 'BAD_REQUEST'],
    ['a temperature below 0', { sampling: { temperature: -1 } }, 'BAD_REQUEST'],
    ['a temperature that is no number', { sampling: { temperature: Number.NaN } }, 'BAD_REQUEST'],
    ['a topP of 0', { sampling: { topP: 0 } }, 'BAD_REQUEST'],
    ['a minP above 1', { sampling: { minP: 2 } }, 'BAD_REQUEST'],
    ['half a topK', { sampling: { topK: 0.5 } }, 'BAD_REQUEST'],
    ['a penalty that needs logits', { sampling: { repetitionPenalty: 1.1 } }, 'UNSUPPORTED'],
    ['a prompt that fills the context', { ids: Array(512).fill(314) }, 'CONTEXT_OVERFLOW'],
  ];

  it.each(refusals)('%s', async (_name, change, code) => {
    const request = { ids, n: 1, sampling: {}, ...change };
    await expect(generate(engine, request)).rejects.toMatchObject({ boundary: 'model', code });
  });

  it.each([
    [[384], 'TOKENS_INVALID'],
    [[], 'BAD_REQUEST'],
    [Array(513).fill(314), 'CONTEXT_OVERFLOW'],
  ])('ids to score: %#', async (given, code) => {
    await expect(engine.score?.(given, 0, never)).rejects.toMatchObject({ code });
  });
});

it('goes on as before after refusals', async () => {
  expect((await answer(engine, ids, { seed: 1, maxTokens: 3 })).ids.length).toBeGreaterThan(0);
});

it('takes a prompt that leaves one place, and scores as many ids as there are places', async () => {
  const full: number[] = Array(512).fill(314);
  expect((await answer(engine, full.slice(1), { seed: 1 })).ids).toHaveLength(1);
  expect(await engine.score?.(full, 0, never)).toHaveLength(512);
});

it('finds the ids of a row without a token no worse than others', async () => {
  expect(
    (await answer(engine, [...ids, 380], { seed: 1, maxTokens: 2 })).ids.length,
  ).toBeGreaterThan(0);
});
