import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createEffects } from '@hermes/env-core';
import { isExpected, pythonCommand } from '@hermes/vitest-config/services';
import { describe, expect, it } from 'vitest';
import { compareAnswers } from '../src/answers/compare-answers.ts';
import { testData } from './_test-data.ts';
import { explained } from './referee/explained.ts';
import { makePairs, type Pair } from './referee/make-pairs.ts';

const data = testData('gsm8k-test.jsonl');

function pairsOf(path: string): readonly Pair[] {
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  const answers = lines.map((line) => String(JSON.parse(line).answer.split('####').at(-1)).trim());
  return makePairs(answers, 2000, createEffects({}, 7).random.fork('pairs'));
}

function askMathVerify(pairs: readonly Pair[]): readonly boolean[] {
  const script = fileURLToPath(new URL('referee/referee.py', import.meta.url));
  const input = pairs.map((pair) => `${JSON.stringify(pair)}\n`).join('');
  const { stdout, stderr } = spawnSync(pythonCommand, [script], { input, encoding: 'utf8' });
  const verdicts = stdout
    .trim()
    .split('\n')
    .map((line) => line === 'true');
  if (verdicts.length !== pairs.length) throw new Error(`math-verify: ${stderr}`);
  return verdicts;
}

describe.runIf(data !== null && isExpected('math-verify'))('beside math-verify', () => {
  it('2,000 answers are judged alike, but for the differences that are explained', () => {
    const pairs = pairsOf(data ?? '');
    const theirs = askMathVerify(pairs);
    const differing = pairs.flatMap((pair, index) => {
      const ours = compareAnswers(pair.gold, pair.response).isEqual;
      return ours === theirs[index] ? [] : [{ ...pair, ours }];
    });
    const unexplained = differing.filter(({ form, ours }) => explained[form]?.ours !== ours);
    expect(unexplained).toEqual([]);
    const seen = new Set(differing.map(({ form }) => form));
    expect([...seen].sort(), 'an explanation that nothing needs').toEqual(
      Object.keys(explained).sort(),
    );
  }, 300_000);
});
