import { openOracle } from '@hermes/env-core';
import { describe, expect, it } from 'vitest';
import { gsm8k, humaneval } from '../src/index.ts';
import { ISOLATIONS, play } from './_play.ts';
import { answering } from './_scripted-model.ts';
import { testData } from './_test-data.ts';

const wordProblems = testData('gsm8k-test.jsonl');
const codeProblems = testData('HumanEval.jsonl.gz');
const [isolation = 'none'] = ISOLATIONS;

describe.runIf(wordProblems !== null)('all 1,319 problems of GSM8K', () => {
  const config = { dataset: wordProblems ?? '', tools: false };

  it('are passed by their own solutions, none errored', async () => {
    const { summary } = await play(gsm8k, config, openOracle, null);
    expect(summary).toMatchObject({ total: 1319, passed: 1319, failed: 0, errored: 0 });
  }, 120_000);

  it('are failed by a number that none of them has', async () => {
    const { summary } = await play(
      gsm8k,
      config,
      answering(() => '\\boxed{123456789.5}'),
      null,
    );
    expect(summary).toMatchObject({ total: 1319, passed: 0, failed: 1319, errored: 0 });
  }, 120_000);
});

describe.runIf(codeProblems !== null)('all 164 problems of HumanEval', () => {
  const config = { dataset: codeProblems ?? '', timeout: 3, memoryMib: 1024 };

  it('are passed by their own solutions, none errored', async () => {
    const { summary } = await play(humaneval, config, openOracle, isolation);
    expect(summary).toMatchObject({ total: 164, passed: 164, failed: 0, errored: 0 });
  }, 300_000);

  it('are failed by wrong solutions of many kinds, none errored', async () => {
    const wrong = [
      'return None',
      'raise ValueError',
      'import os; os._exit(0)',
      'return (',
      'exit()',
    ];
    const solution = (itemId: string): string => {
      const number = Number(itemId.split('/').at(-1));
      return `    ${wrong[number % wrong.length]}\n`;
    };
    const { summary } = await play(humaneval, config, answering(solution), isolation);
    expect(summary).toMatchObject({ total: 164, passed: 0, failed: 164, errored: 0 });
  }, 300_000);
});
