import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isFillingDisk } from '../../src/host/disk-guard.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hermes-disk-guard-'));
  await mkdir(join(folder, 'root/deep'), { recursive: true });
  await writeFile(join(folder, 'root/deep/fill'), Buffer.alloc(2 * 1024 * 1024, 1));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const MIB = 1024 * 1024;

it('blames a sandbox for a full disk when it has a good part in it', async () => {
  expect(await isFillingDisk(folder, { reserveBytes: Infinity, blameBytes: MIB })).toBe(true);
});

it('does not blame one that uses little, holes in files not counted', async () => {
  await truncate(join(folder, 'root/deep/fill'), 1024 * MIB);
  expect(await isFillingDisk(folder, { reserveBytes: Infinity, blameBytes: 100 * MIB })).toBe(
    false,
  );
});

it('blames nobody while there is room', async () => {
  expect(await isFillingDisk(folder, { reserveBytes: 0, blameBytes: 0 })).toBe(false);
});
