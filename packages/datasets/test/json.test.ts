import { expect, it } from 'vitest';
import { openDataset } from '../src/index.ts';
import { collect, writeTemporary } from './_helpers.ts';

async function read(text: string, start = 0) {
  const path = await writeTemporary('rows.json', text);
  return collect((await openDataset({ kind: 'file', path })).rows(start));
}

it('reads a list of objects, and lines of objects', async () => {
  expect(await read('\n [{"a":1},\n{"a":2}]')).toEqual([{ a: 1 }, { a: 2 }]);
  expect(await read('{"a":1}\n{"a":2}\n', 1)).toEqual([{ a: 2 }]);
  expect(await read('')).toEqual([]);
});

it.each([
  ['[{"a":1},\n{"a":}]', /rows\.json:2: is no JSON/],
  ['[{"a":1},\n{"a":2}', /rows\.json:2: is no JSON/],
  ['[{"a":1}, 7]', /element 2 of the list is no object/],
  ['{\n"a": 1}', /rows\.json:1: is no JSON/],
])('names the place of what is wrong in %j', async (text, message) => {
  await expect(read(text)).rejects.toMatchObject({
    code: 'FORMAT',
    message: expect.stringMatching(message),
  });
});
