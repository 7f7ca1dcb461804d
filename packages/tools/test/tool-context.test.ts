import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testEffects } from '@hermes/protocol/testing';
import type { ExecRequest, Sandbox } from '@hermes/sandbox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ToolContext } from '../src/index.ts';
import { createToolContext } from '../src/index.ts';
import { fakeShell } from './support/fake-shell.ts';
import { memorySandbox } from './support/rollout.ts';

let sandbox: Sandbox;
let context: ToolContext;
let local: string;

const contextOf = (own: Sandbox | null, signal = new AbortController().signal): ToolContext =>
  createToolContext({
    sandbox: own,
    effects: testEffects(),
    signal,
    callTool: async (name, args) => ({
      status: 'completed',
      content: JSON.stringify({ name, args }),
    }),
  });

beforeEach(async () => {
  sandbox = await memorySandbox();
  context = contextOf(sandbox);
  local = await mkdtemp(join(tmpdir(), 'tool-context-'));
});
afterEach(() => rm(local, { recursive: true }));

describe('commands', () => {
  const requestFor = async (...args: Parameters<ToolContext['exec']>): Promise<ExecRequest> => {
    const fake = await fakeShell(() => ({}));
    await contextOf(fake.sandbox).exec(...args);
    expect(fake.opened(), 'a session of the model was used').toBe(0);
    const [request] = fake.requests;
    if (request === undefined) throw new Error('nothing was run');
    return request;
  };

  it('run one-shot in the working directory of the sandbox, 180 s, 100 MiB a stream', async () => {
    expect(await requestFor('make test')).toMatchObject({
      command: { script: 'make test' },
      cwd: sandbox.info.workdir,
      timeoutMs: 180_000,
      output: { maxBytes: 104_857_600 },
    });
  });

  it('keep their own time-out beyond 600 s, folder, environment, user, input and argv', async () => {
    const command = { argv: ['ls', '$HOME; rm -rf /'] } as const;
    const options = {
      timeoutMs: 3_600_000,
      cwd: '/tests',
      env: { A: '1' },
      user: 'agent',
      stdin: 'text',
    };
    expect(await requestFor(command, options)).toMatchObject({ command, ...options });
  });
});

describe('files', () => {
  it('are read raw: no line numbers, nothing cut, nothing masked', async () => {
    const text = `token=ghp_abcdefghijklmnopqrstuvwxyz0123456789\n${'x'.repeat(300_000)}`;
    expect(await context.write('/out/big', text)).toEqual({ ok: true, value: null });
    expect(await context.readText('/out/big')).toEqual({ ok: true, value: text });
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    await context.write('/out/bytes', bytes, { mode: 0o600 });
    expect(await context.readBytes('/out/bytes')).toEqual({ ok: true, value: bytes });
    expect(await context.stat('/out/bytes')).toMatchObject({ value: { mode: 0o600, size: 256 } });
  });

  it('may be empty, which is not missing', async () => {
    await context.write('/out/empty', '');
    expect(await context.exists('/out/empty')).toBe(true);
    expect(await context.readText('/out/empty')).toEqual({ ok: true, value: '' });
    expect(await context.download('/out/empty', join(local, 'empty'))).toMatchObject({ ok: true });
    expect(await readFile(join(local, 'empty'), 'utf8')).toBe('');
  });

  it('are read as UTF-8 without a mark, with a sign for broken bytes', async () => {
    await context.write('/out/text', Uint8Array.of(0xef, 0xbb, 0xbf, 0x41, 0xff, 0x0d, 0x0a));
    expect(await context.readText('/out/text')).toEqual({ ok: true, value: 'A\ufffd\r\n' });
  });

  it('that are not there are values', async () => {
    expect(await context.exists('/none')).toBe(false);
    expect(await context.readText('/none')).toMatchObject({ ok: false, code: 'FILE_NOT_FOUND' });
    expect(await context.stat('/none')).toMatchObject({ ok: false });
    expect(await context.download('/none', join(local, 'x'))).toMatchObject({
      ok: false,
      path: '/none',
    });
    expect(await context.upload(join(local, 'none'), '/x')).toEqual({
      ok: false,
      code: 'FILE_NOT_FOUND',
      path: join(local, 'none'),
    });
    expect(await context.remove('/none')).toEqual({ ok: true, value: null });
  });

  it('go up and come down byte for byte, many at once, with their mode', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `file ${index} $HOME;'".bin`);
    const data = names.map((_, index) => Buffer.alloc(100_000 + index, `${index}\u0000\r\n`));
    await Promise.all(names.map((name, index) => writeFile(join(local, name), data[index] ?? '')));
    await chmod(join(local, names[0] ?? ''), 0o755);
    await Promise.all(names.map((name) => context.upload(join(local, name), `/in/${name}`)));
    expect(await context.stat(`/in/${names[0]}`)).toMatchObject({ value: { mode: 0o755 } });
    const back = (name: string): string => join(local, 'back', name);
    await Promise.all(names.map((name) => context.download(`/in/${name}`, back(name))));
    for (const [index, name] of names.entries()) {
      expect((await readFile(back(name))).equals(data[index] ?? Buffer.alloc(0))).toBe(true);
    }
  });

  it('go in whole folders', async () => {
    await mkdir(join(local, 'tree/sub'), { recursive: true });
    await writeFile(join(local, 'tree/sub/a.txt'), 'a');
    await writeFile(join(local, 'tree/empty'), '');
    expect(await context.upload(join(local, 'tree'), '/tree')).toMatchObject({ ok: true });
    expect(await context.readText('/tree/sub/a.txt')).toEqual({ ok: true, value: 'a' });
    expect(await context.download('/tree', join(local, 'copy'))).toMatchObject({ ok: true });
    expect(await readFile(join(local, 'copy/sub/a.txt'), 'utf8')).toBe('a');
    expect((await stat(join(local, 'copy/empty'))).size).toBe(0);
    await context.remove('/tree');
    expect(await context.exists('/tree/sub/a.txt')).toBe(false);
  });

  it('that arrive incomplete are an error, and leave nothing half', async () => {
    const short = async function* (): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(5);
    };
    await context.write('/out/ten', '0123456789');
    const files = {
      ...sandbox.files,
      readStream: async () => ({ ok: true, value: short() }) as const,
    };
    const cut = contextOf({ ...sandbox, info: sandbox.info, files });
    const target = join(local, 'ten');
    await expect(cut.download('/out/ten', target)).rejects.toMatchObject({
      boundary: 'sandbox',
      code: 'TRANSPORT',
    });
    await expect(stat(target)).rejects.toMatchObject({ code: 'ENOENT' });
    const lossy = { ...sandbox.files, write: async () => ({ ok: true, value: null }) as const };
    const losing = contextOf({ ...sandbox, info: sandbox.info, files: lossy });
    await expect(losing.write('/out/ten', 'short')).rejects.toMatchObject({ code: 'TRANSPORT' });
  });
});

it('says what is wrong with the place on this machine', async () => {
  await context.write('/out/a', 'text');
  await writeFile(join(local, 'file'), '');
  const inFile = context.download('/out/a', join(local, 'file', 'a'));
  await expect(inFile).rejects.toMatchObject({ code: 'TRANSPORT', message: /EEXIST|ENOTDIR/ });
  const overFolder = context.download('/out/a', local);
  await expect(overFolder).rejects.toMatchObject({ message: /EISDIR/ });
});

it('calls any tool of the rollout', async () => {
  const result = await context.callTool('web_search', { query: 'x' });
  expect(result.content).toBe('{"name":"web_search","args":{"query":"x"}}');
});

it('says that an environment without a sandbox has none', async () => {
  const without = contextOf(null);
  expect(without.sandbox).toBeNull();
  await expect(without.exec('ls')).rejects.toMatchObject({ code: 'CONFIG' });
  await expect(without.readText('/a')).rejects.toMatchObject({ code: 'CONFIG' });
  expect(await without.callTool('x', {})).toMatchObject({ status: 'completed' });
});

it.each<[string, (context: ToolContext) => Promise<unknown>]>([
  ['readText', (own) => own.readText('/a')],
  ['readBytes', (own) => own.readBytes('/a')],
  ['stat', (own) => own.stat('/a')],
  ['exists', (own) => own.exists('/a')],
  ['write', (own) => own.write('/a', 'x')],
  ['remove', (own) => own.remove('/a')],
  ['upload', (own) => own.upload(local, '/a')],
  ['download', (own) => own.download('/a', join(local, 'a'))],
])('waits for no %s that never ends once the rollout is stopped', async (_name, act) => {
  const never = () => new Promise<never>(() => undefined);
  const files: Sandbox['files'] = {
    ...{ read: never, readStream: never, write: never, stat: never, list: never, mkdir: never },
    ...{ remove: never, rename: never, uploadTree: never, downloadTree: never },
  };
  const stop = new AbortController();
  const stuck = contextOf({ ...sandbox, info: sandbox.info, files }, stop.signal);
  const acting = act(stuck);
  stop.abort();
  await expect(acting).rejects.toMatchObject({ boundary: 'sandbox', code: 'CANCELLED' });
});

it('touches nothing after the rollout was stopped', async () => {
  const stopped = contextOf(sandbox, AbortSignal.abort());
  await expect(stopped.write('/a', 'x')).rejects.toMatchObject({ code: 'CANCELLED' });
  expect(await context.exists('/a')).toBe(false);
});
