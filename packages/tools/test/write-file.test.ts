import type { Sandbox } from '@hermes/sandbox';
import { beforeEach, expect, it } from 'vitest';
import { fileToolset } from '../src/index.ts';
import { memorySandbox, openTools, resourcesOf, type TestTools } from './support/rollout.ts';

let sandbox: Sandbox;
let tools: TestTools;

beforeEach(async () => {
  sandbox = await memorySandbox();
  tools = await openTools(resourcesOf(sandbox), [fileToolset()]);
});

const bytesOf = async (path: string): Promise<Buffer> => {
  const read = await sandbox.files.read(path);
  if (!read.ok) throw new Error(read.code);
  return Buffer.from(read.value);
};

it.each([
  ['text without a last newline', 'no newline'],
  ['an empty text', ''],
  ['carriage returns', 'a\r\nb\r\n'],
  ['quotes, dollars, backslashes and end markers', `'"$HOME\\n\nEOF\nHERMES_EOF\n`],
  ['every language', 'grüße 夜 \u{1f600}\u0000\ufeff'],
  ['what looks like a secret', 'token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"\n'],
  ['5 MB', 'line of text\n'.repeat(420_000)],
])('writes %s byte for byte', async (_what, content) => {
  const { result, document } = await tools.call('write_file', { path: '/out/file', content });
  expect(result.status).toBe('completed');
  expect(document).toEqual({ bytes_written: Buffer.byteLength(content), dirs_created: true });
  expect(Buffer.from(content).equals(await bytesOf('/out/file'))).toBe(true);
});

it('keeps the mode of a file that it replaces', async () => {
  await sandbox.files.write('/bin/run.sh', 'old', { mode: 0o755 });
  await tools.call('write_file', { path: '/bin/run.sh', content: 'new' });
  expect(await sandbox.files.stat('/bin/run.sh')).toMatchObject({ value: { mode: 0o755 } });
});

it('makes no folder where there is one', async () => {
  await sandbox.files.write('/out/other', '');
  const { document } = await tools.call('write_file', { path: '/out/file', content: 'x' });
  expect(document.dirs_created).toBe(false);
});

it('warns when the file changed since the model last saw it', async () => {
  await sandbox.files.write('/app/a', 'mine');
  await tools.call('read_file', { path: '/app/a' });
  await sandbox.files.write('/app/a', 'of someone else');
  const first = await tools.call('write_file', { path: '/app/a', content: 'x' });
  expect(first.document._warning).toContain('changed');
  const second = await tools.call('write_file', { path: '/app/a', content: 'y' });
  expect(second.document).not.toHaveProperty('_warning');
});

it.each([
  ['/app/a', '/app/./a'],
  ['/app/./a', '/app//a'],
])('knows its own change under any spelling: %s and %s', async (one, other) => {
  await tools.call('write_file', { path: one, content: '1' });
  await tools.call('write_file', { path: other, content: '22' });
  const { document } = await tools.call('write_file', { path: one, content: '333' });
  expect(document).not.toHaveProperty('_warning');
});

it('shows its own new text when it is read again', async () => {
  await sandbox.files.write('/app/a', 'old');
  await tools.call('read_file', { path: '/app/a' });
  await tools.call('write_file', { path: '/app/a', content: 'newer' });
  const { document } = await tools.call('read_file', { path: '/app/a' });
  expect(document.content).toBe('     1|newer');
});

it('says that a directory cannot be written', async () => {
  await sandbox.files.write('/app/a', '');
  const { result, document } = await tools.call('write_file', { path: '/app', content: 'x' });
  expect(result).toMatchObject({ status: 'failed', error: { boundary: 'tool' } });
  expect(document.error).toContain('/app');
});

it.each([[{ path: 'a' }], [{ path: 'a', content: { b: 1 } }], [{ content: 'x' }]])(
  'answers the arguments %j with an error and writes nothing',
  async (args) => {
    const { result } = await tools.call('write_file', args);
    expect(result).toMatchObject({ status: 'failed', error: { code: 'INVALID_ARGUMENTS' } });
  },
);

const withIsolation = (isolation: 'none' | 'container'): Sandbox => ({
  ...sandbox,
  info: sandbox.info,
  capabilities: { ...sandbox.capabilities, isolation },
});

it.each([
  '/etc/hosts',
  '/boot/x',
  '/home/me/.ssh/config',
  '/root/.bashrc',
  '/a/../etc/passwd',
  '/x/.aws/credentials',
])('protects %s of the own machine, and lets a container have it', async (path) => {
  const args = { path, content: 'x' };
  const host = await openTools(resourcesOf(withIsolation('none')), [fileToolset()]);
  const container = await openTools(resourcesOf(withIsolation('container')), [fileToolset()]);
  const refused = await host.call('write_file', args);
  expect(refused.result).toMatchObject({ status: 'failed', error: { code: 'PROTECTED_PATH' } });
  expect((await container.call('write_file', args)).result.status).toBe('completed');
});
