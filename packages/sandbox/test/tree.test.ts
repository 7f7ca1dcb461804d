import { execFileSync } from 'node:child_process';
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readlink,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { extractTree } from '../src/core/extract-tree.ts';
import { packTree } from '../src/core/pack-tree.ts';
import { type TarEntry, tarHeader, tarPadding } from '../src/core/tar-header.ts';

const LONG = `${'long-'.repeat(40)}ä`;
let root = '';
let source = '';
let target = '';

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'hermes-tree-'));
  source = join(root, 'source');
  target = join(root, 'target');
  await mkdir(join(source, 'deep', LONG), { recursive: true });
  await writeFile(join(source, 'deep', LONG, 'ünder \n line'), 'hello');
  await writeFile(join(source, 'empty'), '');
  await writeFile(join(source, 'run'), Buffer.alloc(700_001, 'r'));
  await chmod(join(source, 'run'), 0o751);
  await symlink('/etc/shadow', join(source, 'link'));
  await symlink(LONG.repeat(2), join(source, 'long-link'));
  await chmod(join(source, 'deep'), 0o500);
});

afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

async function expectCopy(): Promise<void> {
  const file = join(target, 'deep', LONG, 'ünder \n line');
  expect(await readFile(file, 'utf8')).toBe('hello');
  expect((await lstat(join(target, 'empty'))).size).toBe(0);
  expect((await readFile(join(target, 'run'))).equals(Buffer.alloc(700_001, 'r'))).toBe(true);
  expect((await lstat(join(target, 'run'))).mode & 0o777).toBe(0o751);
  expect((await lstat(join(target, 'deep'))).mode & 0o777).toBe(0o500);
  expect(await readlink(join(target, 'link'))).toBe('/etc/shadow');
  expect(await readlink(join(target, 'long-link'))).toBe(LONG.repeat(2));
}

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

function archive(...entries: readonly (Partial<TarEntry> & { body?: string })[]): Buffer {
  const blocks = entries.flatMap(({ body = '', ...entry }) => {
    const size = Buffer.byteLength(body);
    const whole: TarEntry = {
      name: 'x',
      type: 'file',
      mode: 0o644,
      mtimeMs: 0,
      linkTarget: '',
      size,
      ...entry,
    };
    return [tarHeader(whole), Buffer.from(body), Buffer.alloc(tarPadding(size))];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

const extract = (bytes: Buffer, maxBytes = 10_000_000) =>
  extractTree(inChunks(bytes, 1000), target, maxBytes);

describe('a tree', () => {
  it('comes out as it went in: bytes, modes, long names and links', async () => {
    expect(await extractTree(packTree(source), target, 10_000_000)).toEqual({
      ok: true,
      value: null,
    });
    await expectCopy();
  });

  it.each(['gnu', 'pax', 'ustar'])('made by tar in its %s format is understood', async (format) => {
    if (format === 'ustar') await rm(join(source, 'deep'), { recursive: true });
    if (format === 'ustar') await rm(join(source, 'long-link'));
    const args = ['-C', source, `--format=${format}`, '-cf', '-', '.'];
    const made = execFileSync('tar', args, { maxBuffer: 10_000_000 });
    expect(await extract(made)).toEqual({ ok: true, value: null });
    if (format !== 'ustar') await expectCopy();
    expect(await readlink(join(target, 'link'))).toBe('/etc/shadow');
  });

  it('that was packed here is understood by tar', async () => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of packTree(source)) chunks.push(chunk);
    await mkdir(target);
    execFileSync('tar', ['-C', target, '-xpf', '-'], { input: Buffer.concat(chunks) });
    await expectCopy();
  });

  it('replaces files that are there, and writes through no link', async () => {
    await mkdir(target);
    await writeFile(join(root, 'outside'), 'untouched');
    await symlink(join(root, 'outside'), join(target, 'x'));
    expect(await extract(archive({ name: 'x', body: 'new' }))).toEqual({ ok: true, value: null });
    expect(await readFile(join(root, 'outside'), 'utf8')).toBe('untouched');
    expect(await readFile(join(target, 'x'), 'utf8')).toBe('new');
  });
});

describe('a hostile archive', () => {
  it.each([
    ['an absolute name', [{ name: '/tmp/x', body: 'x' }]],
    ['a name that climbs', [{ name: 'a/../../x', body: 'x' }]],
    ['a device', [{ name: 'null', type: 'other' as const }]],
    ['a hard link to the outside', [{ name: 'x', type: 'hardlink' as const, linkTarget: '../y' }]],
    [
      'an absolute hard link',
      [{ name: 'x', type: 'hardlink' as const, linkTarget: '/etc/passwd' }],
    ],
    [
      'a file below a link',
      [
        { name: 'd', type: 'link' as const, linkTarget: '..' },
        { name: 'd/x', body: 'x' },
      ],
    ],
    [
      'a folder that is a link',
      [
        { name: 'd', type: 'link' as const, linkTarget: '/tmp' },
        { name: 'd/', type: 'directory' as const },
      ],
    ],
  ])('with %s is PATH_ESCAPE', async (_what, entries) => {
    expect(await extract(archive(...entries))).toMatchObject({ ok: false, code: 'PATH_ESCAPE' });
  });

  it('that is larger than allowed is FILE_TOO_LARGE', async () => {
    const bytes = archive(
      { name: 'a', body: 'x'.repeat(600) },
      { name: 'b', body: 'x'.repeat(600) },
    );
    expect(await extract(bytes, 1000)).toMatchObject({ ok: false, code: 'FILE_TOO_LARGE' });
  });

  it.each([
    ['cut off', archive({ name: 'a', body: 'x'.repeat(600) }).subarray(0, 700)],
    ['no archive', Buffer.alloc(600, 'n')],
  ])('that is %s is an error', async (_what, bytes) => {
    await expect(extract(bytes)).rejects.toThrow(/archive/);
  });
});
