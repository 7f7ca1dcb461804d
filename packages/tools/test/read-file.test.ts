import { testEffects } from '@hermes/protocol/testing';
import type { Sandbox } from '@hermes/sandbox';
import { SandboxError } from '@hermes/sandbox';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ToolResources } from '../src/index.ts';
import { createToolResources, fileToolset } from '../src/index.ts';
import { memorySandbox, openTools, resourcesOf, type TestTools } from './support/rollout.ts';

let sandbox: Sandbox;
let resources: ToolResources;
let tools: TestTools;

beforeEach(async () => {
  sandbox = await memorySandbox();
  resources = resourcesOf(sandbox);
  tools = await openTools(resources, [fileToolset()]);
});

const put = async (path: string, data: string | Uint8Array): Promise<void> => {
  expect(await sandbox.files.write(path, data)).toMatchObject({ ok: true });
};

describe('reading', () => {
  it('numbers the lines, six wide, and tells size and total', async () => {
    await put('/data/a.txt', 'one\n  two\n\nfour');
    const { result, document } = await tools.call('read_file', { path: '/data/a.txt' });
    expect(result.status).toBe('completed');
    expect(document).toEqual({
      content: '     1|one\n     2|  two\n     3|\n     4|four',
      total_lines: 4,
      file_size: 15,
      truncated: false,
      is_binary: false,
      is_image: false,
    });
  });

  it('reads the part that offset and limit name and says where to go on', async () => {
    const lines = Array.from({ length: 10 }, (_, index) => `line ${index + 1}`);
    await put('/data/ten.txt', `${lines.join('\n')}\n`);
    const args = { path: '/data/ten.txt', offset: 4, limit: 3 };
    const { document } = await tools.call('read_file', args);
    expect(document.content).toBe('     4|line 4\n     5|line 5\n     6|line 6');
    expect(document).toMatchObject({ truncated: true, total_lines: 10 });
    expect(document.hint).toContain('offset=7');
  });

  it('advises a smaller limit where a large file was cut', async () => {
    await put('/data/large.txt', `${'x'.repeat(99)}\n`.repeat(6000));
    const { document } = await tools.call('read_file', { path: '/data/large.txt', limit: 300 });
    expect(document.hint).toContain('smaller limit');
  });

  it('shows an empty file as no lines', async () => {
    await put('/data/empty', '');
    const { document } = await tools.call('read_file', { path: '/data/empty' });
    expect(document).toMatchObject({ content: '', total_lines: 0, file_size: 0 });
  });

  it.each([
    [2000, false],
    [2001, true],
  ])('cuts a line of %i characters: %s', async (length, isCut) => {
    await put('/data/long.txt', '\u{1f600}'.repeat(length));
    const { document } = await tools.call('read_file', { path: '/data/long.txt' });
    const shown = String(document.content).replace('     1|', '');
    expect(shown.endsWith('... [line cut]')).toBe(isCut);
    expect([...shown.replace('... [line cut]', '')]).toHaveLength(2000);
  });

  it.each([
    [1000, 'completed'],
    [1001, 'failed'],
  ])('shows up to 100,000 characters: %i lines of 100 are %s', async (count, status) => {
    await put('/data/wide.txt', Array.from({ length: count }, () => 'y'.repeat(92)).join('\n'));
    const args = { path: '/data/wide.txt', limit: 2000 };
    const { result, document } = await tools.call('read_file', args);
    expect(result.status).toBe(status);
    if (status === 'failed') {
      expect(Object.keys(document)).toEqual(['error', 'path', 'total_lines', 'file_size']);
    } else {
      expect([...String(document.content)]).toHaveLength(99_999);
    }
  });

  it('starts relative paths where the shell stands', async () => {
    await put('/elsewhere/note', 'here');
    resources.shell.cwd = '/elsewhere';
    const { document } = await tools.call('read_file', { path: 'note' });
    expect(document.content).toBe('     1|here');
  });

  it('never changes what looks like a secret', async () => {
    await put('/data/env', 'OPENAI_API_KEY=sk-abcdefghijklmnopqrstuvwxyz123456');
    const { document } = await tools.call('read_file', { path: '/data/env' });
    expect(document.content).toContain('sk-abcdefghijklmnopqrstuvwxyz123456');
  });
});

describe('asking again', () => {
  const again = (turn: number): ReturnType<TestTools['call']> =>
    tools.call('read_file', { path: '/data/a.txt' }, { turn });

  it('says once that nothing changed, warns the third time and refuses the fourth', async () => {
    await put('/data/a.txt', 'text');
    expect((await again(1)).document).toMatchObject({ content: '     1|text' });
    const second = (await again(2)).document;
    expect(second).toMatchObject({ path: '/data/a.txt', dedup: true });
    const third = (await again(3)).document;
    expect(third.content).toBe('     1|text');
    expect(third._warning).toContain('3 times');
    const fourth = await again(4);
    expect(fourth.result.status).toBe('failed');
    expect(fourth.document).toMatchObject({ path: '/data/a.txt', already_read: 4 });
    expect(fourth.document.error).toMatch(/^BLOCKED/);
  });

  it('shows the new text when the file was changed', async () => {
    await put('/data/a.txt', 'text');
    await again(1);
    await put('/data/a.txt', 'other');
    expect((await again(2)).document.content).toBe('     1|other');
  });

  it.each([
    [
      'a command ran',
      () => {
        resources.shell.commandsRun += 1;
      },
      4,
    ],
    ['a turn lies in between', () => undefined, 5],
  ])('starts counting anew when %s', async (_what, happen, turn) => {
    await put('/data/a.txt', 'text');
    for (const earlier of [1, 2, 3]) await again(earlier);
    happen();
    const { document } = await again(turn);
    expect(document).not.toHaveProperty('already_read');
    expect(document).not.toHaveProperty('_warning');
  });

  it('counts another part of the file as another question', async () => {
    await put('/data/a.txt', 'text\nmore');
    await again(1);
    const { document } = await tools.call('read_file', { path: '/data/a.txt', offset: 2 });
    expect(document.content).toBe('     2|more');
  });
});

describe('what cannot be read', () => {
  it.each([
    '/dev/zero',
    '/dev/random',
    '/dev/urandom',
    '/dev/full',
    '/dev/stdin',
    '/dev/tty',
    '/dev/console',
    '/dev/stdout',
    '/dev/stderr',
    '/dev/fd/0',
    '/dev/fd/2',
    '/proc/self/fd/0',
    '/proc/1/fd/2',
    '/dev/../dev/zero',
  ])('refuses %s without touching it', async (path) => {
    const untouched = createToolResources({
      userTask: null,
      sandbox: () => Promise.reject(new Error('the sandbox was asked')),
    });
    const { call } = await openTools(untouched, [fileToolset()]);
    const { result, document } = await call('read_file', { path });
    expect(result).toMatchObject({ status: 'failed', error: { code: 'DEVICE_FILE' } });
    expect(document.error).toContain('device');
  });

  it('names up to five similar files for one that is not there', async () => {
    const names = [
      'config.yaml',
      'config.yml',
      'confg.yaml',
      'cfg.yaml',
      'conf.yaml',
      'config.json',
    ];
    for (const name of [...names, 'zzz']) await put(`/app/${name}`, '');
    const { result, document } = await tools.call('read_file', { path: '/app/confi.yaml' });
    expect(result).toMatchObject({ status: 'failed', error: { code: 'FILE_NOT_FOUND' } });
    expect(document.error).toBe('File not found: /app/confi.yaml');
    expect(document.similar_files).toHaveLength(5);
    expect(document.similar_files).toContain('/app/config.yaml');
    expect(document.similar_files).not.toContain('/app/zzz');
  });

  it('leaves out what it does not know', async () => {
    const { document } = await tools.call('read_file', { path: '/nowhere/at-all' });
    expect(document).toEqual({ error: 'File not found: /nowhere/at-all' });
  });

  it('says that a directory is one', async () => {
    await put('/app/file', '');
    const { document } = await tools.call('read_file', { path: '/app' });
    expect(document.error).toContain('directory');
  });

  it.each([
    ['by its bytes', '/data/blob', new Uint8Array(2000).fill(1), 'failed'],
    ['by UTF-16', '/data/wide', Buffer.from('some text', 'utf16le'), 'failed'],
    ['by its name', '/data/archive.zip', 'PK', 'failed'],
    ['not: text of any language', '/data/text', 'день ночь \u{1f600} 夜'.repeat(100), 'completed'],
  ])('tells a binary file %s', async (_how, path, data, status) => {
    await put(path, data);
    const { result, document } = await tools.call('read_file', { path });
    expect(result.status).toBe(status);
    expect(document.is_binary).toBe(status === 'failed');
  });

  it('points to the vision tool for an image', async () => {
    await put('/data/photo.PNG', 'not really');
    const { document } = await tools.call('read_file', { path: '/data/photo.PNG' });
    expect(document).toMatchObject({ is_image: true, is_binary: true });
    expect(document.hint).toContain('vision_analyze');
  });

  it.each([[{}], [{ path: 7 }], [{ path: '' }], [{ path: 'a', offset: 'x' }]])(
    'answers the arguments %j with an error',
    async (args) => {
      const { result, document } = await tools.call('read_file', args);
      expect(result).toMatchObject({ status: 'failed', error: { code: 'INVALID_ARGUMENTS' } });
      expect(document.error).toContain('Invalid arguments');
    },
  );
});

describe('a file that gives nothing', () => {
  let begun: Promise<void>;
  let closed: boolean;

  beforeEach(async () => {
    closed = false;
    await put('/silent', 'text');
    begun = new Promise((resolve) => {
      const never = new Promise<never>(() => undefined);
      const silent: AsyncIterator<Uint8Array> = {
        next: () => {
          resolve();
          return never;
        },
        return: async () => {
          closed = true;
          return { done: true, value: undefined };
        },
      };
      const value = { [Symbol.asyncIterator]: () => silent };
      const files = { ...sandbox.files, readStream: async () => ({ ok: true, value }) as const };
      resources = resourcesOf({ ...sandbox, info: sandbox.info, files });
    });
  });

  it('does not hold a rollout that is stopped', async () => {
    const stop = new AbortController();
    const { call } = await openTools(resources, [fileToolset()]);
    const reading = call('read_file', { path: '/silent' }, { signal: stop.signal });
    await begun;
    stop.abort();
    expect((await reading).result.status).toBe('cancelled');
    expect(closed).toBe(true);
  });

  it('is given up after a minute', async () => {
    const effects = testEffects();
    const { call } = await openTools(resources, [fileToolset()], effects);
    const reading = call('read_file', { path: '/silent' });
    await begun;
    await effects.clock.advance(60_000);
    const { result, document } = await reading;
    expect(result).toMatchObject({ status: 'failed', error: { code: 'READ_TIMEOUT' } });
    expect(document.error).toContain('60s');
    expect(closed).toBe(true);
    expect(effects.clock.sleeping()).toBe(0);
  });
});

describe('when the sandbox fails', () => {
  it('tells the model and lets the runner see the boundary', async () => {
    const lost = new SandboxError('SANDBOX_GONE', 'sandbox', 'The sandbox is gone');
    const gone = createToolResources({ userTask: null, sandbox: () => Promise.reject(lost) });
    const { call } = await openTools(gone, [fileToolset()]);
    const { result, document } = await call('read_file', { path: '/a' });
    expect(result).toMatchObject({
      status: 'failed',
      error: { boundary: 'sandbox', code: 'SANDBOX_GONE' },
    });
    expect(document).toEqual({ error: 'The sandbox is gone' });
  });

  it('is cancelled when the rollout is', async () => {
    const signal = AbortSignal.abort();
    const { result } = await tools.call('read_file', { path: '/a' }, { signal });
    expect(result.status).toBe('cancelled');
  });
});
