import { createHash } from 'node:crypto';
import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ConformanceCase } from '../conformance-case.ts';
import { decode, fileCodeOf, okValue, sh } from './_run.ts';

/** Whole folders, up and down. */
export const treeCases: readonly ConformanceCase[] = [
  {
    group: 'files',
    name: 'a tree comes back with the same contents, modes and links',
    needs: [],
    run: async ({ sandbox, folder, localFolder }) => {
      const source = await localFolder();
      await plantTree(source);
      const target = join(await localFolder(), 'back');
      okValue(await sandbox.files.uploadTree(source, `${folder}/tree`));
      okValue(await sandbox.files.downloadTree(`${folder}/tree`, target));
      expect(await fingerprint(target)).toEqual(await fingerprint(source));
    },
  },
  {
    group: 'files',
    name: 'uploading adds to a folder that is there',
    needs: [],
    run: async ({ sandbox, folder, localFolder }) => {
      okValue(await sandbox.files.write(`${folder}/t/own`, 'stays'));
      const source = await localFolder();
      await writeFile(join(source, 'added'), 'comes');
      okValue(await sandbox.files.uploadTree(source, `${folder}/t`));
      expect(decode(okValue(await sandbox.files.read(`${folder}/t/own`)))).toBe('stays');
      expect(decode(okValue(await sandbox.files.read(`${folder}/t/added`)))).toBe('comes');
    },
  },
  {
    group: 'files',
    name: 'a link out of a downloaded tree comes as a link, never as what it points to',
    needs: [],
    run: async ({ sandbox, folder, localFolder }) => {
      const source = await localFolder();
      await symlink('/etc/passwd', join(source, 'out'));
      okValue(await sandbox.files.uploadTree(source, `${folder}/links`));
      const stat = okValue(await sandbox.files.stat(`${folder}/links/out`));
      expect(stat).toMatchObject({ type: 'link', linkTarget: '/etc/passwd' });
      const target = join(await localFolder(), 'down');
      okValue(await sandbox.files.downloadTree(`${folder}/links`, target));
      expect(await readlink(join(target, 'out'))).toBe('/etc/passwd');
    },
  },
  {
    group: 'files',
    name: 'a link planted by a command is downloaded as a link',
    needs: ['shell'],
    run: async ({ sandbox, folder, localFolder }) => {
      await sh(sandbox, `mkdir -p ${folder}/p && ln -s ../../../../etc/passwd ${folder}/p/up`);
      const target = join(await localFolder(), 'down');
      okValue(await sandbox.files.downloadTree(`${folder}/p`, target));
      expect((await lstat(join(target, 'up'))).isSymbolicLink()).toBe(true);
    },
  },
  {
    group: 'files',
    name: 'a tree above the limit is FILE_TOO_LARGE',
    needs: [],
    run: async ({ sandbox, folder, localFolder }) => {
      okValue(await sandbox.files.write(`${folder}/big/f`, 'x'.repeat(100_000)));
      const target = join(await localFolder(), 'down');
      const result = await sandbox.files.downloadTree(`${folder}/big`, target, {
        maxBytes: 50_000,
      });
      expect(fileCodeOf(result)).toBe('FILE_TOO_LARGE');
    },
  },
  {
    group: 'files',
    name: 'downloading a tree that is not there is FILE_NOT_FOUND',
    needs: [],
    run: async ({ sandbox, folder, localFolder }) => {
      const target = join(await localFolder(), 'down');
      const result = await sandbox.files.downloadTree(`${folder}/none`, target);
      expect(fileCodeOf(result)).toBe('FILE_NOT_FOUND');
    },
  },
  {
    group: 'files',
    name: '/app, /tests and /logs can be made, and no other sandbox sees them',
    needs: ['absolutePaths'],
    run: async ({ open }) => {
      const [one, other] = [await open({ workdir: '/app' }), await open({ workdir: '/app' })];
      expect(one.info.workdir).toBe('/app');
      for (const place of ['/app', '/tests', '/logs']) {
        okValue(await one.files.write(`${place}/mark`, 'mine'));
        expect(fileCodeOf(await other.files.read(`${place}/mark`))).toBe('FILE_NOT_FOUND');
      }
      expect(okValue(await one.files.read('mark'))).toHaveLength(4);
    },
  },
];

async function plantTree(root: string): Promise<void> {
  await mkdir(join(root, 'sub', 'empty folder'), { recursive: true });
  await writeFile(join(root, 'sub', 'ünï 😀.txt'), 'text');
  await writeFile(join(root, 'zero'), '');
  await writeFile(join(root, 'blob'), Buffer.alloc(300_001, 7));
  await writeFile(
    join(root, `${'long-name-'.repeat(20)}.txt`),
    'a name beyond the first tar formats',
  );
  await writeFile(join(root, 'tool.sh'), '#!/bin/sh\n');
  await chmod(join(root, 'tool.sh'), 0o755);
  await writeFile(join(root, 'secret'), 's');
  await chmod(join(root, 'secret'), 0o600);
  await symlink('blob', join(root, 'link'));
  await symlink('../zero', join(root, 'sub', 'up'));
  await symlink('nowhere', join(root, 'dangling'));
}

/** One line per entry: name, kind, mode, and what it holds. */
async function fingerprint(root: string, below = ''): Promise<string[]> {
  const lines: string[] = [];
  for (const name of (await readdir(join(root, below))).sort()) {
    const relative = join(below, name);
    lines.push(`${relative} ${await describeEntry(join(root, relative))}`);
    const isDirectory = (await lstat(join(root, relative))).isDirectory();
    if (isDirectory) lines.push(...(await fingerprint(root, relative)));
  }
  return lines;
}

async function describeEntry(path: string): Promise<string> {
  const stats = await lstat(path);
  if (stats.isSymbolicLink()) return `link ${await readlink(path)}`;
  const mode = (stats.mode & 0o777).toString(8);
  if (stats.isDirectory()) return `directory ${mode}`;
  return `file ${mode} ${createHash('sha256')
    .update(await readFile(path))
    .digest('hex')}`;
}
