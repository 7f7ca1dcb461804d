import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { scriptedModel } from '@hermes/protocol/testing';
import { expect, it } from 'vitest';
import { evaluate, openRunDirectory, planOf } from '../src/index.ts';
import { optionsOf, plainEnvironment } from './_support/harness.ts';
import { temporaryFolder } from './_support/temporary-folder.ts';

const unreadable = plainEnvironment({
  // biome-ignore lint/correctness/useYield: it fails before its first item
  async *items() {
    throw new Error('no column "question"');
  },
});
const options = optionsOf({ open: () => scriptedModel('Done.'), environment: unreadable });

async function runInto(path: string): Promise<void> {
  const directory = await openRunDirectory(path, { resume: false, plan: planOf(options) });
  try {
    await expect(evaluate({ ...options, directory })).rejects.toThrow('question');
  } finally {
    await directory.close();
  }
}

it('leaves nothing of a run whose items cannot be read, not even the folders it made', async () => {
  const folder = await temporaryFolder();
  await runInto(join(folder, 'runs/mine'));
  expect(await readdir(folder)).toEqual([]);
});

it('leaves the folder that was there before, empty as it was', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'runs'));
  await runInto(join(folder, 'runs'));
  expect(await readdir(join(folder, 'runs'))).toEqual([]);
});
