import { openNoop, openOracle } from '@hermes/env-core';
import { describe, expect, it } from 'vitest';
import { gsm8k } from '../src/index.ts';
import { openContext, outcomes, play } from './_play.ts';
import { answering } from './_scripted-model.ts';

const builtin = { dataset: 'builtin', tools: false };

describe('the built-in problems', () => {
  it('are all passed by their own solutions and failed by nothing, without a sandbox', async () => {
    const oracle = await play(gsm8k, builtin, openOracle, null);
    expect(oracle.summary).toMatchObject({ total: 8, passed: 8, failed: 0, errored: 0 });
    const noop = await play(gsm8k, builtin, openNoop, null);
    expect(noop.summary).toMatchObject({ total: 8, passed: 0, failed: 8, errored: 0 });
  });

  it('ask for the number in a box, and show no calculator notes in a solution', async () => {
    const environment = await gsm8k.open(builtin, openContext());
    for await (const item of environment.items({ split: 'eval', start: 7 } as never)) {
      const [message] = await environment.prompt(item);
      expect(message?.content).toMatch(/^A candle is 24 .+\\boxed\{\}\.$/s);
      const solution = await environment.solution?.(item);
      expect(solution?.turns[0]?.content).toMatch(/^It burns down [^<]+\\boxed\{13.5\}$/s);
    }
  });
});

it('a reward says what was read, what was right, and how they were compared', async () => {
  const answer = 'It is -11.0000000001 degrees.';
  const { records } = await play(
    gsm8k,
    builtin,
    answering(() => answer),
    null,
  );
  const record = records.find(({ identity }) => identity.itemId === 'problem-5');
  expect(record).toMatchObject({
    status: 'completed',
    reward: {
      reward: 1,
      resolved: true,
      details: { answer: '-11.0000000001', gold: '-11', tier: 3, unsure: true },
    },
  });
});

it('with tools a trial has a sandbox, and the summary says how many used it', async () => {
  const { summary, records } = await play(gsm8k, { ...builtin, tools: true }, openOracle, 'none');
  expect(summary).toMatchObject({ passed: 8, errored: 0, metrics: { tool_use_rate: 0 } });
  expect(records[0]?.sandboxes).toHaveLength(1);
  expect(Object.values(outcomes(records))).toEqual(Array(8).fill(1));
});
