import type { Sandbox } from '@hermes/sandbox';
import { beforeEach, describe, expect, it } from 'vitest';
import { fileToolset } from '../src/index.ts';
import { memorySandbox, openTools, resourcesOf, type TestTools } from './support/rollout.ts';

let sandbox: Sandbox;
let tools: TestTools;

beforeEach(async () => {
  sandbox = await memorySandbox();
  tools = await openTools(resourcesOf(sandbox), [fileToolset()]);
});

const textOf = async (path: string): Promise<string | null> => {
  const read = await sandbox.files.read(path);
  return read.ok ? Buffer.from(read.value).toString('latin1') : null;
};
const write = (path: string, text: string): Promise<unknown> =>
  sandbox.files.write(path, Buffer.from(text, 'latin1'));
const patch = (lines: readonly string[]): ReturnType<TestTools['call']> =>
  tools.call('patch', { mode: 'patch', patch: lines.join('\n') });

describe('mode replace', () => {
  it('changes one place, and answers with the diff and the file', async () => {
    await write('/app/a.txt', 'one\ntwo\nthree\n');
    const args = { mode: 'replace', path: '/app/a.txt', old_string: 'two', new_string: '2' };
    const { result, document } = await tools.call('patch', args);
    expect(result.status).toBe('completed');
    expect(document).toEqual({
      success: true,
      diff: '--- a/app/a.txt\n+++ b/app/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three',
      files_modified: ['/app/a.txt'],
      lint: { status: 'skipped', message: 'No check for .txt files' },
    });
    expect(await textOf('/app/a.txt')).toBe('one\n2\nthree\n');
  });

  it('keeps bytes that are no UTF-8, the byte order mark and the mode', async () => {
    const text = '\xef\xbb\xbf\xff\xfe\r\none\r\n\xe9';
    await sandbox.files.write('/app/a.sh', Buffer.from(text, 'latin1'), { mode: 0o755 });
    await tools.call('patch', { path: '/app/a.sh', old_string: 'one', new_string: '1\n2' });
    expect(await textOf('/app/a.sh')).toBe('\xef\xbb\xbf\xff\xfe\r\n1\r\n2\r\n\xe9');
    expect(await sandbox.files.stat('/app/a.sh')).toMatchObject({ value: { mode: 0o755 } });
  });

  it('shows the nearest place in fields of one JSON document, and writes nothing', async () => {
    await write('/app/a', 'alpha\nbeta = compute(1)\ngamma\n');
    const args = { path: '/app/a', old_string: 'beta = computed(2)', new_string: 'x' };
    const { result, document } = await tools.call('patch', args);
    expect(result).toMatchObject({
      status: 'failed',
      error: { code: 'NOT_FOUND', boundary: 'tool' },
    });
    expect(document).toMatchObject({
      success: false,
      error: 'Could not find the text to replace in /app/a. The nearest place is line 2',
      _hint: expect.stringContaining('2|beta = compute(1)'),
    });
    expect(await textOf('/app/a')).toBe('alpha\nbeta = compute(1)\ngamma\n');
  });

  it('counts the places that fit, and changes them all when asked to', async () => {
    await write('/app/a', 'x\ny\nx\n');
    const args = { path: '/app/a', old_string: 'x', new_string: 'z' };
    const { document } = await tools.call('patch', args);
    expect(document.error).toMatch(/^Found 2 places .* See line 1, 3$/);
    await tools.call('patch', { ...args, replace_all: true });
    expect(await textOf('/app/a')).toBe('z\ny\nz\n');
  });

  it.each<[string, object, string]>([
    ['no path', { old_string: 'a', new_string: 'b' }, 'INVALID_ARGUMENTS'],
    ['no new text', { path: '/app/a', old_string: 'a' }, 'INVALID_ARGUMENTS'],
    ['an empty old text', { path: '/app/a', old_string: '', new_string: 'b' }, 'EMPTY_OLD'],
    ['the same text twice', { path: '/app/a', old_string: 'a', new_string: 'a' }, 'IDENTICAL'],
    ['another mode', { mode: 'sed', path: '/app/a' }, 'INVALID_ARGUMENTS'],
    ['a missing file', { path: '/app/b', old_string: 'a', new_string: 'b' }, 'FILE_NOT_FOUND'],
    ['a folder', { path: '/app', old_string: 'a', new_string: 'b' }, 'IS_A_DIRECTORY'],
    ['no patch', { mode: 'patch' }, 'INVALID_ARGUMENTS'],
  ])('answers %s with an error', async (_what, args, code) => {
    await write('/app/a', 'a');
    const { result } = await tools.call('patch', { ...args });
    expect(result).toMatchObject({ status: 'failed', error: { code } });
    expect(await textOf('/app/a')).toBe('a');
  });

  it('warns of a change by something else since the file was read', async () => {
    await write('/app/a', 'one\n');
    await tools.call('read_file', { path: '/app/a' });
    await write('/app/a', 'one\nmore\n');
    const args = { path: '/app/a', old_string: 'one', new_string: '1' };
    expect((await tools.call('patch', args)).document._warning).toContain('/app/a');
  });

  it('protects private files of the own machine', async () => {
    const host = {
      ...sandbox,
      info: sandbox.info,
      capabilities: { ...sandbox.capabilities, isolation: 'none' as const },
    };
    const onHost = await openTools(resourcesOf(host), [fileToolset()]);
    await write('/root/.bashrc', 'a');
    for (const path of ['/root/.bashrc', '/x/../root/.bashrc']) {
      const { result } = await onHost.call('patch', { path, old_string: 'a', new_string: 'b' });
      expect(result).toMatchObject({ status: 'failed', error: { code: 'PROTECTED_PATH' } });
    }
    expect(await textOf('/root/.bashrc')).toBe('a');
  });
});

describe('mode patch', () => {
  beforeEach(async () => {
    await write('/app/a', 'def f():\n    return 1\n\ndef g():\n    return 1\n');
    await write('/app/b', 'b\n');
  });

  it('updates, adds, deletes and moves in one go', async () => {
    await write('/app/c', 'c');
    const { document } = await patch([
      '*** Begin Patch',
      '*** Update File: /app/a',
      '@@ def g(): @@',
      '-    return 1',
      '+    return 2',
      '*** Add File: /app/new/d',
      '+one',
      '+',
      '+two',
      '*** Delete File: /app/b',
      '*** Move File: /app/c -> /app/e',
      '*** End Patch',
      'and some talk',
    ]);
    expect(document).toMatchObject({
      success: true,
      files_modified: ['/app/a'],
      files_created: ['/app/new/d', '/app/e'],
      files_deleted: ['/app/b', '/app/c'],
    });
    expect(await textOf('/app/a')).toBe('def f():\n    return 1\n\ndef g():\n    return 2\n');
    expect(await textOf('/app/new/d')).toBe('one\n\ntwo\n');
    expect(await textOf('/app/b')).toBeNull();
    expect(await textOf('/app/e')).toBe('c');
  });

  it.each<[string, readonly string[], string]>([
    ['a hunk that fits nowhere', ['*** Update File: /app/a', '-nothing', '+x'], 'NOT_FOUND'],
    ['a hunk that fits twice', ['*** Update File: /app/a', '-    return 1', '+x'], 'AMBIGUOUS'],
    ['a hint that is not there', ['*** Update File: /app/a', '@@ def h():', '+x'], 'NOT_FOUND'],
    ['a hint that is there twice', ['*** Update File: /app/a', '@@ return 1', '+x'], 'AMBIGUOUS'],
    ['a new file that is there', ['*** Add File: /app/b', '+x'], 'ALREADY_EXISTS'],
    ['a missing file to delete', ['*** Delete File: /app/z'], 'FILE_NOT_FOUND'],
    ['a move over a file', ['*** Move File: /app/a -> /app/b'], 'ALREADY_EXISTS'],
    ['a header that nobody knows', ['*** Copy File: /app/a'], 'INVALID_PATCH'],
    ['an update that changes nothing', ['*** Update File: /app/a', ' def f():'], 'INVALID_PATCH'],
  ])('touches no file when there is %s', async (_what, lines, code) => {
    const good = ['*** Update File: /app/b', '-b', '+changed', '*** Add File: /app/n', '+n'];
    const before = await textOf('/app/a');
    const { result } = await patch(['*** Begin Patch', ...good, ...lines, '*** End Patch']);
    expect(result).toMatchObject({ status: 'failed', error: { code } });
    expect([await textOf('/app/a'), await textOf('/app/b')]).toEqual([before, 'b\n']);
    expect(await textOf('/app/n')).toBeNull();
  });

  it('puts lines alone after the line of the hint, else at the end', async () => {
    await patch(['*** Update File: /app/a', '@@ def g(): @@', '+    x = 1', '@@', '+# end']);
    const after = 'def f():\n    return 1\n\ndef g():\n    x = 1\n    return 1\n# end\n';
    expect(await textOf('/app/a')).toBe(after);
  });

  it('lets a later operation see what an earlier one made, also by another name of the file', async () => {
    await patch(['*** Update File: /app/b', '-b', '+c', '*** Update File: /app/./b', '-c', '+d']);
    expect(await textOf('/app/b')).toBe('d\n');
  });

  it('takes a removed last line with it and leaves a missing newline missing', async () => {
    await write('/app/b', 'one\ntwo');
    await patch(['*** Update File: /app/b', ' one', '-two', '+2']);
    expect(await textOf('/app/b')).toBe('one\n2');
    await patch(['*** Update File: /app/b', '-one']);
    expect(await textOf('/app/b')).toBe('2');
  });

  it('takes removed and added blank lines for what they are', async () => {
    await write('/app/c', 'one\n\ntwo\nend\n');
    await patch(['*** Update File: /app/c', '-', '@@', ' end', '+new', '+']);
    expect(await textOf('/app/c')).toBe('one\ntwo\nend\nnew\n\n');
    await patch(['*** Update File: /app/c', '-', '+last', '+', '*** End Patch']);
    expect(await textOf('/app/c')).toBe('one\ntwo\nend\nnew\nlast\n\n');
  });

  it('puts back what was written when a later file cannot be', async () => {
    const failing: Sandbox = {
      ...sandbox,
      info: sandbox.info,
      files: {
        ...sandbox.files,
        write: async (path, data, options) =>
          path === '/app/full'
            ? { ok: false, code: 'NO_SPACE', path }
            : await sandbox.files.write(path, data, options),
      },
    };
    const full = await openTools(resourcesOf(failing), [fileToolset()]);
    const lines = ['*** Update File: /app/b', '-b', '+c', '*** Move File: /app/a -> /app/m'];
    const text = [...lines, '*** Add File: /app/n', '+n', '*** Add File: /app/full', '+f'].join(
      '\n',
    );
    const { document } = await full.call('patch', { mode: 'patch', patch: text });
    expect(document.error).toContain('No file was changed');
    expect(await textOf('/app/b')).toBe('b\n');
    expect(await textOf('/app/a')).toContain('def f');
    expect([await textOf('/app/n'), await textOf('/app/m')]).toEqual([null, null]);
  });
});
