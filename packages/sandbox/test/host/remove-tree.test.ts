import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { removeTree } from '../../src/host/remove-tree.ts';
import { temporaryFolder } from './_folders.ts';

it('removes folders without any permission and files that are read-only', async () => {
  const folder = join(await temporaryFolder(), 'tree');
  await mkdir(join(folder, 'closed', 'deep'), { recursive: true });
  await writeFile(join(folder, 'closed', 'deep', 'file'), 'x', { mode: 0o400 });
  await chmod(join(folder, 'closed', 'deep'), 0);
  await chmod(join(folder, 'closed'), 0);
  await removeTree(folder);
  expect(existsSync(folder)).toBe(false);
});

it('removes a chain of folders that is deeper than one path can name', async () => {
  const folder = join(await temporaryFolder(), 'tree');
  await mkdir(folder);
  const name = 'ü'.repeat(100);
  const script = `i=0; while [ $i -lt 60 ]; do mkdir ${name} && cd -P ${name} || exit 1; i=$((i+1)); done; : > bottom`;
  execFileSync('bash', ['-c', script], { cwd: folder });
  await removeTree(folder);
  expect(existsSync(folder)).toBe(false);
});

it('removes a link and leaves what it points to', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'tree'));
  await writeFile(join(folder, 'kept'), 'x');
  await symlink(folder, join(folder, 'tree', 'link'));
  await removeTree(join(folder, 'tree'));
  expect(await readFile(join(folder, 'kept'), 'utf8')).toBe('x');
});

it('takes an absent folder for removed', async () => {
  await expect(removeTree(join(await temporaryFolder(), 'absent'))).resolves.toBeUndefined();
});
