import { EventEmitter, getEventListeners, once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import type { MemoryCall, SandboxSpec } from '../src/index.ts';
import { createMemorySandboxProvider } from '../src/index.ts';
import { createManualClock } from './_manual-clock.ts';

type Options = NonNullable<Parameters<typeof createMemorySandboxProvider>[0]>;

const spec: SandboxSpec = { lifetimeMs: 60_000, labels: {}, idempotencyKey: 'one' };

async function openWith(
  commands: NonNullable<Options['commands']>,
  effects: Options['effects'] = {},
) {
  const sandbox = await createMemorySandboxProvider({ commands, effects }).create(spec);
  onTestFinished(async () => {
    await sandbox.dispose();
  });
  return sandbox;
}

it('answers a command by its first word, as argv and as a script', async () => {
  const sandbox = await openWith({ greet: () => ({ exitCode: 3, stdout: 'hi', stderr: 'psst' }) });
  for (const command of [{ argv: ['greet', 'you'] as const }, { script: '  greet you\nagain' }]) {
    const result = await sandbox.exec({ command, timeoutMs: 1000 });
    expect(result).toMatchObject({ status: 'exited', exitCode: 3 });
    expect([result.stdout.text(), result.stderr.text()]).toEqual(['hi', 'psst']);
  }
});

it('gives a command its input, files and directory, and keeps what it writes', async () => {
  const calls: MemoryCall[] = [];
  const sandbox = await openWith({
    build: (call) => {
      calls.push(call);
      call.files.set('/workspace/out/result.txt', call.stdin);
      return { exitCode: 0 };
    },
  });
  await sandbox.exec({ command: { argv: ['build'] }, timeoutMs: 1000, stdin: 'data', cwd: 'sub' });
  expect(calls.map(({ cwd }) => cwd)).toEqual(['/workspace/sub']);
  expect(await sandbox.files.read('out/result.txt')).toEqual({
    ok: true,
    value: new TextEncoder().encode('data'),
  });
  expect(await sandbox.files.stat('out')).toMatchObject({ ok: true, value: { type: 'directory' } });
});

it('does not start what is not scripted, names of built-in properties included', async () => {
  const sandbox = await openWith({});
  for (const name of ['ls', 'toString', '__proto__']) {
    const result = await sandbox.exec({ command: { argv: [name] }, timeoutMs: 1000 });
    expect(result.status).toBe('not_started');
  }
});

it('refuses a shell that is asked for by name, unless the script begins with a scripted command', async () => {
  const sandbox = await openWith({ known: () => ({ exitCode: 0 }) });
  const unknown = sandbox.exec({ command: { script: 'echo', shell: 'sh' }, timeoutMs: 1000 });
  await expect(unknown).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  const known = await sandbox.exec({ command: { script: 'known', shell: 'sh' }, timeoutMs: 1000 });
  expect(known.status).toBe('exited');
});

it('ends a command at its deadline, and tells the command so', async () => {
  const clock = createManualClock();
  const started = new EventEmitter();
  const sandbox = await openWith(
    {
      slow: ({ signal }) => {
        started.emit('call', signal);
        return new Promise(() => undefined);
      },
    },
    { clock },
  );
  const call = once(started, 'call');
  const running = sandbox.exec({ command: { argv: ['slow'] }, timeoutMs: 5000 });
  const [signal] = await call;
  await clock.advance(4999);
  expect(signal.aborted).toBe(false);
  await clock.advance(1);
  expect((await running).status).toBe('timeout');
  expect(signal.aborted).toBe(true);
});

it('ends a command when its signal fires', async () => {
  const abort = new AbortController();
  const sandbox = await openWith({ slow: () => new Promise(() => undefined) });
  const running = sandbox.exec({
    command: { argv: ['slow'] },
    timeoutMs: Number.POSITIVE_INFINITY,
    signal: abort.signal,
  });
  abort.abort();
  expect((await running).status).toBe('cancelled');
});

it('ends a running command with SANDBOX_GONE when the lifetime passes', async () => {
  const clock = createManualClock();
  const sandbox = await openWith({ slow: () => new Promise(() => undefined) }, { clock });
  const running = sandbox.exec({ command: { argv: ['slow'] }, timeoutMs: 600_000 });
  const failure = expect(running).rejects.toMatchObject({ code: 'SANDBOX_GONE', scope: 'sandbox' });
  await clock.advance(60_000);
  await failure;
  expect(await sandbox.dispose()).toMatchObject({ exitReason: 'lifetime' });
});

it('lives longer when extended', async () => {
  const clock = createManualClock();
  const sandbox = await openWith({}, { clock });
  await sandbox.extend(30_000);
  await clock.advance(89_999);
  expect(await sandbox.health()).toBe('ok');
  await clock.advance(1);
  expect(await sandbox.health()).toBe('dead');
});

it.each([
  ['head_tail', 'ab\n[... 6 bytes of output dropped ...]\nij'],
  ['head', 'abcd\n[... 6 bytes of output dropped ...]\n'],
  ['tail', '[... 6 bytes of output dropped ...]\nghij'],
] as const)('caps output, keeping %s', async (keep, text) => {
  const sandbox = await openWith({ say: () => ({ exitCode: 0, stdout: 'abcdefghij' }) });
  const output = { maxBytes: 4, keep };
  const { stdout } = await sandbox.exec({ command: { argv: ['say'] }, timeoutMs: 1000, output });
  expect(stdout).toMatchObject({ totalBytes: 10, droppedBytes: 6 });
  expect(stdout.text()).toBe(text);
});

it('says that a command went over a limit that kills', async () => {
  const sandbox = await openWith({ say: () => ({ exitCode: 0, stdout: 'abcdefghij' }) });
  const output = { maxBytes: 4, killAtLimit: true };
  const result = await sandbox.exec({ command: { argv: ['say'] }, timeoutMs: 1000, output });
  expect(result.status).toBe('output_limit_killed');
});

it('reports a scripted command that throws, with its reason', async () => {
  const sandbox = await openWith({
    broken: () => {
      throw new Error('typo');
    },
  });
  const running = sandbox.exec({ command: { argv: ['broken'] }, timeoutMs: 1000 });
  await expect(running).rejects.toMatchObject({
    code: 'EXEC_NOT_STARTED',
    cause: new Error('typo'),
  });
});

it('answers at once without a timer, and ends as cancelled where the command itself cancels its caller', async () => {
  const clock = createManualClock();
  const sleeps: number[] = [];
  const watched = {
    now: clock.now,
    sleep: (ms: number, signal?: AbortSignal) => {
      sleeps.push(ms);
      return clock.sleep(ms, signal);
    },
  };
  const abort = new AbortController();
  const sandbox = await openWith(
    {
      quick: () => ({ exitCode: 0 }),
      stop: () => {
        abort.abort();
        return { exitCode: 0 };
      },
    },
    { clock: watched },
  );
  const run = (name: string) =>
    sandbox.exec({ command: { argv: [name] }, timeoutMs: 1234, signal: abort.signal });
  expect((await run('quick')).status).toBe('exited');
  expect((await run('stop')).status).toBe('cancelled');
  expect(sleeps).not.toContain(1234);
});

it('leaves no listener on the signal of its caller', async () => {
  const { signal } = new AbortController();
  const sandbox = await openWith({ soon: async () => ({ exitCode: 0 }) });
  await sandbox.exec({ command: { argv: ['soon'] }, timeoutMs: 60_000, signal });
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
