import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeTransferFolder, sweepTransferFolders } from '../../src/host/index.ts';

let parent = '';
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'hermes-transfers-'));
});
afterEach(() => rm(parent, { recursive: true, force: true }));

it('sweeps what processes that were killed left, and nothing else', async () => {
  const { pid } = spawnSync('true');
  const own = basename(await makeTransferFolder(parent));
  const open = `hermes-transfer-${pid}-1-others`;
  await mkdir(join(parent, `hermes-transfer-${pid}-1-dead/deep`), { recursive: true, mode: 0o700 });
  await mkdir(join(parent, open));
  await chmod(join(parent, open), 0o777);
  await mkdir(join(parent, 'mine'));
  expect(await sweepTransferFolders(parent)).toBe(1);
  expect((await readdir(parent)).sort()).toEqual([open, own, 'mine'].sort());
});
