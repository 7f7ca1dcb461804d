import { readdir, readlink } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { openDataset } from '../src/index.ts';
import { collect, writeTemporary } from './_helpers.ts';

const PATIENCE = { timeout: 4_000 };

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

it.each([
  ['{"id":1}\n\n{"id":', /rows\.jsonl:3: is no JSON \(.*\); mend or remove the line/],
  ['{"id":1}\n[1]\n', /rows\.jsonl:2: is JSON but no object/],
  ['{"id":1}\n{"id":"\xff"}\n', /rows\.jsonl:2: is no JSON/],
])('names file and line of what is wrong in %j', async (text, message) => {
  const path = await writeTemporary('rows.jsonl', Buffer.from(text, 'latin1'));
  const dataset = await openDataset({ kind: 'file', path });
  await expect(collect(dataset.rows())).rejects.toMatchObject({
    code: 'FORMAT',
    message: expect.stringMatching(message),
  });
});

it('reads the good rows before a broken line', async () => {
  const path = await writeTemporary('rows.jsonl', '{"id":1}\nnonsense\n');
  const rows = (await openDataset({ kind: 'file', path })).rows()[Symbol.asyncIterator]();
  expect(await rows.next()).toEqual({ done: false, value: { id: 1 } });
  await expect(rows.next()).rejects.toThrow(/rows\.jsonl:2/);
});

it('says that a gzip file is cut', async () => {
  const path = await writeTemporary('rows.jsonl.gz', gzipSync(TEXT).subarray(0, 20));
  const dataset = await openDataset({ kind: 'file', path });
  await expect(collect(dataset.rows())).rejects.toThrow(/cannot be read \(.*\); is the file whole/);
});

it('reads the same rows whatever the chunks of the file', async () => {
  const rows = Array.from({ length: 3000 }, (_, id) => ({ id, text: 'ä'.repeat(id % 100) }));
  const text = rows.map((row) => JSON.stringify(row)).join('\n');
  const path = await writeTemporary('rows.jsonl', text);
  expect(await collect((await openDataset({ kind: 'file', path })).rows())).toEqual(rows);
});

it('gives only the wanted columns, and names one that is missing when it is opened', async () => {
  const path = await writeTemporary('rows.jsonl', '{"id":1,"text":"a"}\n{"id":2}\n');
  const dataset = await openDataset({ kind: 'file', path, columns: ['text'] });
  const rows = dataset.rows()[Symbol.asyncIterator]();
  expect(await rows.next()).toEqual({ done: false, value: { text: 'a' } });
  await expect(rows.next()).rejects.toMatchObject({ code: 'COLUMN_MISSING' });
  await expect(openDataset({ kind: 'file', path, columns: ['constructor'] })).rejects.toThrow(
    /has no column "constructor"; its columns are "id", "text": rename one/,
  );
});

it('says that a file is missing, or of no kind that is read', async () => {
  await expect(openDataset({ kind: 'file', path: 'absent.jsonl' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: 'there is no file absent.jsonl; check the path',
  });
  const path = await writeTemporary('rows.txt', '');
  await expect(openDataset({ kind: 'file', path })).rejects.toThrow(/ends in \.parquet, \.jsonl/);
});

it('has the digest of its bytes as revision', async () => {
  const path = await writeTemporary('rows.jsonl', '{}\n');
  expect((await openDataset({ kind: 'file', path })).revision).toBe(
    'sha256:ca3d163bab055381827226140568f3bef7eaac187cebd76878e0b63e9e442356',
  );
});

it('ends an iteration when it is closed or cancelled', async () => {
  const path = await writeTemporary('rows.jsonl', TEXT);
  const dataset = await openDataset({ kind: 'file', path });
  const stop = AbortSignal.abort(new Error('enough'));
  await expect(collect(dataset.rows(0, stop))).rejects.toMatchObject({ code: 'CANCELLED' });
  await dataset.close();
  await dataset.close();
  await expect(collect(dataset.rows())).rejects.toMatchObject({ code: 'CLOSED' });
});

it('refuses a start that is no row', async () => {
  const path = await writeTemporary('rows.jsonl', TEXT);
  const dataset = await openDataset({ kind: 'file', path });
  await expect(collect(dataset.rows(-1))).rejects.toMatchObject({ code: 'SOURCE' });
});

it('ends in mid-file when it is cancelled', async () => {
  const path = await writeTemporary('rows.jsonl', TEXT);
  const stop = new AbortController();
  const seen: unknown[] = [];
  const read = async () => {
    for await (const row of (await openDataset({ kind: 'file', path })).rows(0, stop.signal)) {
      seen.push(row);
      stop.abort();
    }
  };
  await expect(read()).rejects.toMatchObject({ code: 'CANCELLED' });
  expect(seen).toEqual(ROWS.slice(0, 1));
});

it('leaves no file open when a reader stops early', async () => {
  const text = '{"id":1}\n'.repeat(100_000);
  const path = await writeTemporary('rows.jsonl.gz', gzipSync(text));
  const dataset = await openDataset({ kind: 'file', path });
  for await (const _row of dataset.rows()) break;
  await expect.poll(() => isOpenHere(path), PATIENCE).toBe(false);
});

async function isOpenHere(path: string): Promise<boolean> {
  const links = (await readdir('/proc/self/fd')).map((fd) =>
    readlink(`/proc/self/fd/${fd}`).catch(() => ''),
  );
  return (await Promise.all(links)).includes(path);
}
