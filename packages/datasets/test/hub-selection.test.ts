import { expect, it } from 'vitest';
import { openDataset } from '../src/index.ts';
import { collect } from './_helpers.ts';
import { ID, openHubTest } from './_hub.ts';

const row = (text: string): string => `{"from":"${text}"}\n`;

function files(...paths: readonly string[]): Record<string, string> {
  return Object.fromEntries(paths.map((path) => [path, row(path)]));
}

async function open(
  revisions: Readonly<Record<string, Readonly<Record<string, string>>>>,
  wanted: Readonly<{ config?: string; split?: string; revision?: string }>,
): Promise<unknown[]> {
  const { options } = await openHubTest({ revisions });
  const dataset = await openDataset({ kind: 'hub', id: ID, ...wanted }, options);
  return (await collect(dataset.rows())).map((each) => each.from);
}

it.each([
  ['the only split', ['test.jsonl'], {}, ['test.jsonl']],
  [
    'a split below data/',
    ['data/test.jsonl', 'data/train.jsonl'],
    { split: 'test' },
    ['data/test.jsonl'],
  ],
  ['the config named default', ['test.jsonl', 'other/test.jsonl'], {}, ['test.jsonl']],
  ['a folder as config', ['a/test.jsonl', 'b/test.jsonl'], { config: 'b' }, ['b/test.jsonl']],
  [
    'numbered files in a folder named after the split',
    ['main/test/0001.jsonl', 'main/test/0000.jsonl', 'main/train/0000.jsonl'],
    { config: 'main', split: 'test' },
    ['main/test/0000.jsonl', 'main/test/0001.jsonl'],
  ],
  [
    'shards with a digest in their names',
    ['data/val-00001-of-00002-0a1b.jsonl', 'data/val-00000-of-00002-9f.jsonl'],
    {},
    ['data/val-00000-of-00002-9f.jsonl', 'data/val-00001-of-00002-0a1b.jsonl'],
  ],
  ['one of two formats', ['test.jsonl', 'test.csv'], {}, ['test.jsonl']],
])('finds %s', async (_what, paths, wanted, expected) => {
  expect(await open({ main: files(...paths) }, wanted)).toEqual(expected);
});

it('falls back to the parquet conversion of the hub where names tell nothing', async () => {
  const revisions = {
    main: files('problems.jsonl'),
    'refs/convert/parquet': files('default/train/0000.jsonl'),
  };
  expect(await open(revisions, { split: 'train' })).toEqual(['default/train/0000.jsonl']);
  await expect(open(revisions, { split: 'test' })).rejects.toMatchObject({
    message: `hf://${ID}@refs/convert/parquet has no split "test"; choose one of "train"`,
  });
});

it.each([
  [
    'several configs',
    ['a/test.jsonl', 'b/test.jsonl'],
    {},
    /has several configs; choose one of "a", "b"$/,
  ],
  ['no such config', ['a/test.jsonl'], { config: 'c' }, /has no config "c"; choose one of "a"$/],
  [
    'several splits',
    ['test.jsonl', 'train.jsonl'],
    {},
    /has several splits; choose one of "test", "train"$/,
  ],
  ['no such split', ['test.jsonl'], { split: 'x' }, /has no split "x"; choose one of "test"$/],
  ['no split at all', ['a.txt', 'b.jsonl'], {}, /has no files named after a split; name one file/],
])('lists what there is: %s', async (_what, paths, wanted, message) => {
  await expect(open({ main: files(...paths) }, wanted)).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: expect.stringMatching(message),
  });
});

it('refuses a split that is not complete', async () => {
  const paths = ['test-00000-of-00003.jsonl', 'test-00002-of-00003.jsonl'];
  await expect(open({ main: files(...paths) }, {})).rejects.toThrow(/has 2 of the 3 files of the/);
});
