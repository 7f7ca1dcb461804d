import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { openDataset } from '../src/index.ts';
import { collect, writeTemporary } from './_helpers.ts';

async function read(name: string, content: string | Uint8Array, start = 0) {
  const path = await writeTemporary(name, content);
  return collect((await openDataset({ kind: 'file', path })).rows(start));
}

it('reads quotes, line ends inside quotes, and a byte order mark', async () => {
  const text = '\ufeffid,text\r\n1,"a, ""b""\nc"\r\n\r\n2,\r\n';
  expect(await read('rows.csv', text)).toEqual([
    { id: '1', text: 'a, "b"\nc' },
    { id: '2', text: '' },
  ]);
});

it('reads gzip, tabs, and from any row on', async () => {
  expect(await read('rows.csv.gz', gzipSync('a\n1\n2\n'), 1)).toEqual([{ a: '2' }]);
  expect(await read('rows.tsv', 'a\tb\n1\t2\n')).toEqual([{ a: '1', b: '2' }]);
});

it.each([
  ['too many cells', 'a,b\n1,2\n1,2,3\n', /rows\.csv:3: is no row of the table/],
  ['an open quote', 'a,b\n1,"2\n', /rows\.csv:\d: is no row of the table/],
  ['a repeated column', 'a,b,a\n1,2,3\n', /rows\.csv:1: names the column "a" twice/],
])('names file and line of %s', async (_what, text, message) => {
  await expect(read('rows.csv', text)).rejects.toMatchObject({
    code: 'FORMAT',
    message: expect.stringMatching(message),
  });
});

it('refuses bytes that are no UTF-8', async () => {
  const bytes = Buffer.from('a\n1\n\xff\n', 'latin1');
  await expect(read('rows.csv', bytes)).rejects.toThrow(/rows\.csv:1: is not UTF-8, here or below/);
});
