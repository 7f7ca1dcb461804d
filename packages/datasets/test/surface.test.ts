import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import * as datasets from '../src/index.ts';
import * as testing from '../src/testing/index.ts';

it('exports exactly these names', () => {
  expect(Object.keys(datasets).sort()).toEqual([
    'DatasetError',
    'datasetSettings',
    'openDataset',
    'parseDatasetSource',
  ]);
  expect(Object.keys(testing)).toEqual(['startFakeHub']);
});

it('depends on these packages only', async () => {
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  expect(Object.keys(JSON.parse(text).dependencies)).toEqual([
    '@hermes/protocol',
    '@huggingface/hub',
    'csv-parse',
    'hyparquet',
    'hyparquet-compressors',
    'zod',
  ]);
});
