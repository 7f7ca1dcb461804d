import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { openDataset } from '../src/index.ts';
import { collect, writeTemporary } from './_helpers.ts';

const TEXT = '{"id":1}\r\n\n{"id":2,"text":"ä\\n"}\n{"id":3}';
const ROWS = [{ id: 1 }, { id: 2, text: 'ä\n' }, { id: 3 }];

it('reads one row a line, with any line end, and skips empty lines', async () => {
  const path = await writeTemporary('rows.jsonl', TEXT);
  const dataset = await openDataset({ kind: 'file', path });
  expect(await collect(dataset.rows())).toEqual(ROWS);
});

it('reads gzip', async () => {
  const path = await writeTemporary('rows.jsonl.gz', gzipSync(TEXT));
  const dataset = await openDataset({ kind: 'file', path });
  expect(await collect(dataset.rows())).toEqual(ROWS);
});

it('starts anywhere, as often as it is asked to', async () => {
  const path = await writeTemporary('rows.jsonl', TEXT);
  const dataset = await openDataset({ kind: 'file', path });
  expect(await collect(dataset.rows(2))).toEqual(ROWS.slice(2));
  expect(await collect(dataset.rows(0))).toEqual(ROWS);
  expect(await collect(dataset.rows(9))).toEqual([]);
});
