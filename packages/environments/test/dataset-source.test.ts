import { expect, it } from 'vitest';
import { datasetSource } from '../src/data/dataset-source.ts';

const places = {
  hub: { id: 'openai/gsm8k', config: 'main', split: 'test' },
  builtin: 'gsm8k.jsonl',
  columns: ['question'],
};
const hub = { kind: 'hub', id: 'openai/gsm8k', config: 'main', split: 'test' };

it.each([
  [undefined, hub],
  ['hf://openai/gsm8k', hub],
  ['hf://openai/gsm8k:train', { ...hub, split: 'train' }],
  ['hf://openai/gsm8k@740312a', { ...hub, revision: '740312a' }],
  [
    'hf://openai/gsm8k/main/test.parquet',
    { kind: 'hub', id: 'openai/gsm8k', path: 'main/test.parquet' },
  ],
  ['hf://someone/like-gsm8k', { kind: 'hub', id: 'someone/like-gsm8k' }],
  ['rows.jsonl.gz', { kind: 'file', path: 'rows.jsonl.gz' }],
  ['rows', { kind: 'folder', path: 'rows' }],
])('dataset %s is read from %j', (dataset, source) => {
  expect(datasetSource({ ...places, dataset })).toEqual({ ...source, columns: ['question'] });
});

it('builtin is a file of the package', () => {
  expect(datasetSource({ ...places, dataset: 'builtin' })).toMatchObject({
    kind: 'file',
    path: expect.stringMatching(/problems\/gsm8k\.jsonl$/),
  });
});
