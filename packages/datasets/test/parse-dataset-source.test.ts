import { expect, it } from 'vitest';
import { parseDatasetSource } from '../src/index.ts';

it.each([
  ['rows.jsonl', { kind: 'file', path: 'rows.jsonl' }],
  ['./data/Rows.JSONL.gz', { kind: 'file', path: './data/Rows.JSONL.gz' }],
  ['rows', { kind: 'folder', path: 'rows' }],
  ['C:\\rows.csv', { kind: 'file', path: 'C:\\rows.csv' }],
  ['hf://org/name', { kind: 'hub', id: 'org/name' }],
  ['hf://org/na.me-1@v1.0', { kind: 'hub', id: 'org/na.me-1', revision: 'v1.0' }],
  ['hf://org/name/main:test', { kind: 'hub', id: 'org/name', config: 'main', split: 'test' }],
  ['hf://org/name:test', { kind: 'hub', id: 'org/name', split: 'test' }],
  [
    'hf://org/name@abc/main:test',
    { kind: 'hub', id: 'org/name', revision: 'abc', config: 'main', split: 'test' },
  ],
  [
    'hf://datasets/org/name@refs/convert/parquet/main:test',
    {
      kind: 'hub',
      id: 'org/name',
      revision: 'refs/convert/parquet',
      config: 'main',
      split: 'test',
    },
  ],
  ['hf://org/name@a%2Fb', { kind: 'hub', id: 'org/name', revision: 'a/b' }],
  ['hf://org/name/data/x.parquet', { kind: 'hub', id: 'org/name', path: 'data/x.parquet' }],
])('reads %s', (text, source) => {
  expect(parseDatasetSource(text)).toEqual(source);
});

it.each([
  ['', /is empty/],
  ['hf://name', /is no dataset of the hub/],
  ['hf://', /is no dataset of the hub/],
  ['hf://org/name@', /is no dataset of the hub/],
  ['hf://org/name/a/b', /ends in "a\/b", which is neither a config nor a file of rows/],
  ['hf://org/name/x.jsonl:test', /names both a file and a split/],
  ['hf://org/name@%', /is not well encoded/],
  ['s3://bucket/x.jsonl', /is no address that is read/],
])('refuses %j with what to write instead', (text, message) => {
  expect(() => parseDatasetSource(text)).toThrow(message);
  expect(() => parseDatasetSource(text)).toThrow(/write a path \(rows\.jsonl, folder\/\) or hf:/);
});
