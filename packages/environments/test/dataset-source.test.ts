import { configDigest } from '@hermes/env-core';
import { expect, it } from 'vitest';
import type { DatasetKeys } from '../src/data/dataset-keys.ts';
import { datasetSource } from '../src/data/dataset-source.ts';
import { gsm8k } from '../src/index.ts';

const places = {
  hub: { id: 'openai/gsm8k', config: 'main', splits: { eval: 'test', train: 'train' } },
  builtin: 'gsm8k.jsonl',
  columns: ['question'],
};
const hub = { kind: 'hub', id: 'openai/gsm8k', config: 'main', split: 'test' };
const other = { kind: 'hub', id: 'someone/like-gsm8k' };

it.each<[DatasetKeys, object]>([
  [{}, hub],
  [{ dataset: 'hf://openai/gsm8k' }, hub],
  [{ dataset: 'hf://openai/gsm8k:train' }, { ...hub, split: 'train' }],
  [{ dataset: 'hf://openai/gsm8k@740312a' }, { ...hub, revision: '740312a' }],
  [
    { dataset: 'hf://openai/gsm8k/main/test.parquet' },
    { kind: 'hub', id: 'openai/gsm8k', path: 'main/test.parquet' },
  ],
  [{ dataset: 'hf://someone/like-gsm8k' }, other],
  [{ dataset: 'rows.jsonl.gz' }, { kind: 'file', path: 'rows.jsonl.gz' }],
  [{ dataset: 'rows' }, { kind: 'folder', path: 'rows' }],
  [{ datasetName: 'openai/gsm8k' }, hub],
  [
    { datasetName: 'someone/like-gsm8k', datasetSplit: 'dev' },
    { ...other, split: 'dev' },
  ],
  [{ datasetName: 'rows/test.jsonl' }, { kind: 'file', path: 'rows/test.jsonl' }],
  [{ datasetName: './rows' }, { kind: 'folder', path: './rows' }],
  [{ datasetName: null }, hub],
  [{ datasetSplit: 'train' }, { ...hub, split: 'train' }],
  [{ dataset: 'hf://openai/gsm8k:test', datasetSplit: 'train' }, hub],
  [
    { dataset: 'rows', datasetName: 'openai/gsm8k' },
    { kind: 'folder', path: 'rows' },
  ],
])('%j is read from %j', (keys, source) => {
  expect(datasetSource({ ...places, keys }, 'eval')).toEqual({ ...source, columns: ['question'] });
});

it('builtin is a file of the package, under either name', () => {
  for (const keys of [{ dataset: 'builtin' }, { datasetName: 'builtin' }])
    expect(datasetSource({ ...places, keys }, 'eval')).toMatchObject({
      kind: 'file',
      path: expect.stringMatching(/problems\/gsm8k\.jsonl$/),
    });
});

it('training has a split of its own where nothing names one', () => {
  expect(datasetSource({ ...places, keys: {} }, 'train')).toMatchObject({ split: 'train' });
  const named = { ...places, keys: { datasetSplit: 'test' } };
  expect(datasetSource(named, 'train')).toMatchObject({ split: 'test' });
});

it('another split is another run, another place of the same data is not', () => {
  const digest = (keys: DatasetKeys) => configDigest(gsm8k, { ...keys, tools: false });
  expect(digest({ dataset: 'a.jsonl' })).toBe(digest({ datasetName: './b.jsonl' }));
  expect(digest({ datasetSplit: 'test' })).not.toBe(digest({}));
});
