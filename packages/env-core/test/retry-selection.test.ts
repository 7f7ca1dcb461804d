import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RolloutRecord } from '@hermes/protocol';
import { scriptedModel } from '@hermes/protocol/testing';
import { expect, it } from 'vitest';
import type { EvaluateOptions, RunSummary } from '../src/index.ts';
import { evaluate, openRunDirectory, planOf, retrySelection } from '../src/index.ts';
import { optionsOf, plainEnvironment } from './_support/harness.ts';
import { temporaryFolder } from './_support/temporary-folder.ts';

const options: EvaluateOptions<number> = optionsOf({ open: () => scriptedModel('Done.') });

/** Item 0 has no reward, item 1 none of 1, item 2 passes. */
const mixed = plainEnvironment({
  computeReward: async ({ data }) => {
    if (data === 0) throw new Error('the verifier is broken');
    return data === 1 ? 0.5 : 1;
  },
});

async function run(
  path: string,
  words: readonly string[],
  environment = plainEnvironment(),
): Promise<RunSummary> {
  const now = { ...options, environment };
  const retry = retrySelection(words);
  const directory = await openRunDirectory(path, { resume: true, plan: planOf(now), retry });
  try {
    return await evaluate({ ...now, directory });
  } finally {
    await directory.close();
  }
}

async function linesOf(path: string, name: string): Promise<RolloutRecord[]> {
  const text = await readFile(join(path, name), 'utf8');
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

it.each([
  [['errored'], 2],
  [['unscored'], 2],
  [['verifier'], 2],
  [['verifier_error'], 2],
  [['reward_threw'], 2],
  [['reward_missing', 'model'], 1],
  [['reward<1'], 2],
  [['reward < 0.5'], 1],
  [['errored', 'reward<1'], 3],
  [[], 1],
])('runs the trials of %j again, and keeps the others', async (words, passed) => {
  const path = await temporaryFolder();
  await run(path, [], mixed);
  expect(await run(path, words)).toMatchObject({ total: 3, passed });
  expect(await linesOf(path, 'records.jsonl')).toHaveLength(3);
});

it('keeps the verifier error that a mended verifier replaces, on disk and in the record', async () => {
  const path = await temporaryFolder();
  await run(path, [], mixed);
  await run(path, ['verifier']);
  const records = await linesOf(path, 'records.jsonl');
  expect(records.find((record) => record.itemIndex === 0)?.tries).toMatchObject([
    { errored: { reason: 'verifier', cause: 'reward_threw' } },
  ]);
  expect(await linesOf(path, 'tries.jsonl')).toMatchObject([
    { status: 'errored', identity: { itemId: 'item-0' } },
  ]);
});

it('puts a score that was too low aside, says so in the record, and marks the run as not comparable', async () => {
  const path = await temporaryFolder();
  await run(path, [], mixed);
  const summary = await run(path, ['reward<1']);
  expect(summary).toMatchObject({ comparable: false, marks: ['rescored'] });
  const records = await linesOf(path, 'records.jsonl');
  expect(records.find((record) => record.itemIndex === 1)?.tries).toMatchObject([
    { errored: null, reward: 0.5 },
  ]);
  expect(await linesOf(path, 'tries.jsonl')).toMatchObject([
    { status: 'completed', reward: { reward: 0.5 } },
  ]);
  expect(summary.usage.totalTokens).toBe(4 * 15);
});

it('names the nearest of an unknown word, and all there are', () => {
  expect(() => retrySelection(['modle_timeout'])).toThrow(/Did you mean model_timeout\?.*verifier/);
  expect(() => retrySelection(['reward<much'])).toThrow(/reward<N, for example reward<1/);
});
