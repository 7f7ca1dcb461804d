import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDataset } from '../src/index.ts';
import { collect, temporaryFolder, writeTemporary } from './_helpers.ts';

async function writeFolder(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

const FILES = {
  'b.jsonl': '{"n":"3"}\n{"n":"4"}\n',
  'a/z.csv': 'n\n1\n2\n',
  'README.md': 'no rows',
  '.hidden/x.jsonl': '{"n":"0"}\n',
};

it('reads all files of rows in the order of their paths', async () => {
  const dataset = await openDataset({ kind: 'folder', path: await writeFolder(FILES) });
  const numbers = async (start: number) => (await collect(dataset.rows(start))).map((row) => row.n);
  expect(await numbers(0)).toEqual(['1', '2', '3', '4']);
  expect(await numbers(1)).toEqual(['2', '3', '4']);
  expect(await numbers(3)).toEqual(['4']);
  expect(await numbers(9)).toEqual([]);
});

it('has a revision that follows the content and not the place', async () => {
  const revision = async (files: Readonly<Record<string, string>>) =>
    (await openDataset({ kind: 'folder', path: await writeFolder(files) })).revision;
  const original = await revision(FILES);
  expect(original).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(await revision(FILES)).toBe(original);
  expect(await revision({ ...FILES, 'README.md': 'other' })).toBe(original);
  expect(await revision({ ...FILES, 'b.jsonl': '{"n":"3"}\n' })).not.toBe(original);
});

it.each([
  [
    'a folder without rows',
    { 'README.md': '' },
    'NOT_FOUND',
    /has no file of rows; check the path/,
  ],
])('says what is wrong with %s', async (_what, files, code, message) => {
  const opening = openDataset({ kind: 'folder', path: await writeFolder(files) });
  await expect(opening).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
});

it('refuses a pipe: it would wait for a writer, and could be read only once', async () => {
  const path = join(await temporaryFolder(), 'rows.jsonl');
  spawnSync('mkfifo', [path]);
  await expect(openDataset({ kind: 'file', path })).rejects.toThrow(/is no regular file/);
});

it('tells a file and a folder apart', async () => {
  const folder = await writeFolder(FILES);
  await expect(openDataset({ kind: 'file', path: folder })).rejects.toThrow(/is a folder; open it/);
  const path = await writeTemporary('rows.jsonl', '');
  await expect(openDataset({ kind: 'folder', path })).rejects.toThrow(/is a file; open it as one/);
  const text = await writeTemporary('rows.docx', '');
  await expect(openDataset({ kind: 'folder', path: text })).rejects.toThrow(/ends in \.parquet, /);
});
