import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '@hermes/protocol/testing';
import type { Sandbox, SandboxProvider } from '@hermes/sandbox';
import { createSandboxProvider } from '@hermes/sandbox-local';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { fileToolset } from '../../src/index.ts';
import { openTools, resourcesOf, type TestTools } from '../support/rollout.ts';
import { KINDS, makeEdit } from './made-edits.ts';

let provider: SandboxProvider;
let sandbox: Sandbox;
let tools: TestTools;
let outside: string;
let count = 0;

beforeAll(async () => {
  const openProvider = () => Promise.reject(new Error('there is no other provider'));
  provider = await createSandboxProvider({ isolation: 'none' }, { openProvider });
});
afterAll(() => provider.close());
beforeEach(async () => {
  count += 1;
  outside = await mkdtemp(join(tmpdir(), 'hermes-patch-'));
  const idempotencyKey = `patch-${process.pid}-${count}`;
  sandbox = await provider.create({ lifetimeMs: 600_000, labels: {}, idempotencyKey });
  tools = await openTools(resourcesOf(sandbox), [fileToolset()]);
});
afterEach(async () => {
  await tools.open.close?.();
  await sandbox.dispose();
  await rm(outside, { recursive: true });
});

const at = (name: string): string => join(sandbox.info.workdir, name);
const replace = (path: string, old: string, next: string): ReturnType<TestTools['call']> =>
  tools.call('patch', { path, old_string: old, new_string: next });

it('leaves on a real disk the intended file, or the one that was there, and nothing else', async () => {
  const verdicts = { made: 0, refused: 0 };
  for (let seed = 1; seed <= 200; seed += 1) {
    const kind = KINDS[seed % KINDS.length] ?? '';
    const edit = makeEdit(kind, seededRandom(seed).fork(`disk ${kind}`));
    await writeFile(at('file.txt'), edit.before);
    const { result } = await replace('file.txt', edit.old, edit.next);
    const after = await readFile(at('file.txt'));
    const isMade = result.status === 'completed';
    expect(after.equals((isMade ? edit.intended : edit.before) ?? Buffer.of())).toBe(true);
    verdicts[isMade ? 'made' : 'refused'] += 1;
  }
  expect(verdicts.made).toBeGreaterThan(120);
  expect(verdicts.refused).toBeGreaterThan(10);
  expect(await readdir(sandbox.info.workdir)).toEqual(['file.txt']);
}, 120_000);

it('says whether a changed program still is one, and leaves nothing behind', async () => {
  await writeFile(at('a.js'), 'const a = 1;\n');
  const good = await replace('a.js', '1', '2');
  expect(good.document.lint).toEqual({ status: 'ok', output: '' });
  const bad = await replace('a.js', '2', '(');
  expect(bad.document).toMatchObject({ success: true, lint: { status: 'error' } });
  expect(JSON.stringify(bad.document.lint)).toContain('SyntaxError');
  expect(await readdir(sandbox.info.workdir)).toEqual(['a.js']);
});

it('refuses pipes, devices and files of the kernel, at once', async () => {
  await sandbox.exec({ command: { argv: ['mkfifo', 'pipe'] }, timeoutMs: 10_000 });
  await symlink('/dev/zero', at('zero'));
  for (const path of ['pipe', 'zero', '/dev/null', '/proc/self/cmdline/', '.']) {
    expect((await replace(path, 'a', 'b')).result.status).toBe('failed');
  }
  const kernel = await replace('/proc/sys/kernel/ostype', 'Linux', 'Other');
  expect(kernel.result.status).toBe('failed');
  expect(await readFile('/proc/sys/kernel/ostype', 'utf8')).toBe('Linux\n');
});

it('changes the file that a link leads to, and keeps the link', async () => {
  await writeFile(join(outside, 'real'), 'one\n');
  await symlink(join(outside, 'real'), at('link'));
  await replace('link', 'one', 'two');
  expect(await readFile(join(outside, 'real'), 'utf8')).toBe('two\n');
  const removal = '*** Delete File: link';
  const { result } = await tools.call('patch', { mode: 'patch', patch: removal });
  expect(result).toMatchObject({ status: 'failed', error: { code: 'IS_A_LINK' } });
});

it('protects private files of this machine behind links and dots', async () => {
  await symlink('/etc', at('config'));
  for (const path of [
    'config/hostname',
    `${sandbox.info.workdir}/../../../../../../../etc/hostname`,
  ]) {
    const { result } = await replace(path, 'a', 'b');
    expect(result).toMatchObject({ status: 'failed', error: { code: 'PROTECTED_PATH' } });
    const patch = `*** Delete File: ${path}`;
    expect((await tools.call('patch', { mode: 'patch', patch })).result.status).toBe('failed');
  }
});

it('takes back what it wrote when a later file cannot be written', async () => {
  await writeFile(at('a'), 'a\n');
  await writeFile(at('block'), 'no folder\n');
  const patch = [
    '*** Update File: a',
    '-a',
    '+b',
    '*** Add File: new',
    '+n',
    '*** Add File: folder/inner/new',
    '+n',
    '*** Move File: new -> block/x',
  ];
  const { result } = await tools.call('patch', { mode: 'patch', patch: patch.join('\n') });
  expect(result.status).toBe('failed');
  expect(await readFile(at('a'), 'utf8')).toBe('a\n');
  expect((await readdir(sandbox.info.workdir)).sort()).toEqual(['a', 'block']);
});

it('edits a file of 10 MB, and a line of 1 MB', async () => {
  await writeFile(at('big'), `${'some line of text\n'.repeat(580_000)}the end\n`);
  expect((await replace('big', 'the  end', 'the start')).document).toMatchObject({ success: true });
  expect((await readFile(at('big'), 'utf8')).endsWith('of text\nthe start\n')).toBe(true);
  await writeFile(at('line'), `${'abc,'.repeat(250_000)}last`);
  expect((await replace('line', 'abc,last', 'abc,first')).document).toMatchObject({
    success: true,
  });
  const missing = await replace('line', 'abd,lost', 'x');
  expect(missing.document.error).toContain('The nearest place is line 1');
}, 60_000);
