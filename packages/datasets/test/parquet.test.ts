import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { openDataset } from '../src/index.ts';
import { collect, writeTemporary } from './_helpers.ts';

const fixture = (name: string): string =>
  fileURLToPath(new URL(`fixtures/parquet/${name}.parquet`, import.meta.url));

it.each(['none', 'snappy', 'gzip', 'brotli', 'zstd', 'lz4'])('reads %s', async (codec) => {
  const dataset = await openDataset({ kind: 'file', path: fixture(codec) });
  expect(dataset.length).toBe(10);
  const rows = await collect(dataset.rows());
  expect(rows).toHaveLength(10);
  expect(rows[1]).toEqual({
    id: '9007199254740994',
    text: 'row 1 ä',
    score: 0.5,
    small: 1,
    tags: ['t0'],
    meta: { name: 'n1', steps: [{ at: 1 }, { at: null }] },
    when: '2024-01-02T00:00:00.000Z',
    bytes: '/wE=',
  });
  expect(rows[2]).toMatchObject({ small: null, bytes: 'plain' });
  expect(rows[3]).toMatchObject({ score: null, tags: [] });
});

it('starts anywhere, also inside and at the border of a row group', async () => {
  const dataset = await openDataset({ kind: 'file', path: fixture('snappy') });
  const all = await collect(dataset.rows());
  for (const start of [0, 3, 4, 5, 9, 10, 11]) {
    expect(await collect(dataset.rows(start))).toEqual(all.slice(start));
  }
});

it('reads only the wanted columns', async () => {
  const dataset = await openDataset({
    kind: 'file',
    path: fixture('zstd'),
    columns: ['meta', 'text'],
  });
  const [row] = await collect(dataset.rows(9));
  expect(row).toEqual({ text: 'row 9 ä', meta: { name: 'n9', steps: [{ at: 9 }, { at: null }] } });
});

it('names a missing column, and those that there are, when it is opened', async () => {
  const opening = openDataset({ kind: 'file', path: fixture('none'), columns: ['answer'] });
  await expect(opening).rejects.toMatchObject({
    code: 'COLUMN_MISSING',
    message: expect.stringMatching(/has no column "answer"; its columns are "id", "text", /),
  });
});

it('says that a cut file is not whole', async () => {
  const path = await writeTemporary('cut.parquet', 'PAR1 and then nothing');
  await expect(openDataset({ kind: 'file', path })).rejects.toMatchObject({
    code: 'FORMAT',
    message: expect.stringMatching(/cut\.parquet cannot be read \(.*\); is the file whole\?/),
  });
});
