import type { Effects } from '@hermes/protocol';
import { testEffects } from '@hermes/protocol/testing';
import type { ExecRequest, Proc, Sandbox } from '@hermes/sandbox';
import { beforeEach, describe, expect, it } from 'vitest';
import { terminalToolset } from '../src/index.ts';
import {
  fakeShell,
  type Outcome,
  type PlayedProcess,
  playedProcess,
} from './support/fake-shell.ts';
import { type Answer, openTools, resourcesOf, type TestTools } from './support/rollout.ts';

let effects: ReturnType<typeof testEffects>;
let played: PlayedProcess[];
let requests: ExecRequest[];
let sandbox: Sandbox;
let tools: TestTools;
let answer: (request: ExecRequest) => Outcome;
/** How the next process differs from the others. */
let next: Partial<Proc>;

const openRollout = (own: Effects = effects): Promise<TestTools> =>
  openTools(resourcesOf(sandbox), [terminalToolset()], own);

beforeEach(async () => {
  effects = testEffects();
  played = [];
  requests = [];
  answer = () => ({});
  next = {};
  const fake = await fakeShell((request) => answer(request), { stdin: true, streaming: true });
  const spawn: Sandbox['spawn'] = async (request) => {
    requests.push(request);
    const process = playedProcess();
    played.push(process);
    return Object.assign(process.proc, next);
  };
  sandbox = { ...fake.sandbox, spawn };
  tools = await openRollout();
});

const start = async (command = 'serve'): Promise<string> => {
  const { document } = await tools.call('terminal', { command, background: true });
  return String(document.session_id);
};
const ask = (action: string, id: string, more = {}): Promise<Answer> =>
  tools.call('process', { action, session_id: id, ...more });
const last = (): PlayedProcess => {
  const process = played.at(-1);
  if (process === undefined) throw new Error('nothing was started');
  return process;
};
/** Lets what was written arrive. */
const settle = (): Promise<void> => effects.clock.advance(0);

describe('starting', () => {
  it('answers at once with a session id', async () => {
    const { document } = await tools.call('terminal', { command: 'serve', background: true });
    expect(document).toMatchObject({
      output: 'Background process started',
      pid: 4242,
      exit_code: 0,
      error: null,
    });
    expect(document.session_id).toMatch(/^proc_[0-9a-f]{12}$/);
    expect(requests).toMatchObject([{ command: { script: 'serve' }, timeoutMs: Infinity }]);
  });

  it('says why a process could not be started', async () => {
    next = { pid: null };
    const starting = tools.call('terminal', { command: 'serve', background: true });
    await settle();
    last().end({ status: 'not_started', message: 'no such folder /x' });
    const { result, document } = await starting;
    expect(result).toMatchObject({ status: 'failed', error: { boundary: 'tool' } });
    expect(document).toEqual({ output: '', exit_code: -1, error: 'no such folder /x' });
    expect((await tools.call('process', { action: 'list' })).document.processes).toEqual([]);
  });

  it('takes a process for started that has no number', async () => {
    next = { pid: null };
    const starting = tools.call('terminal', { command: 'serve', background: true });
    await effects.clock.advance(1_000);
    expect((await starting).document).toMatchObject({ pid: null, exit_code: 0 });
  });

  it('starts nothing after the rollout was stopped', async () => {
    answer = ({ command }) =>
      'script' in command && command.script.includes('export -p')
        ? { status: { status: 'cancelled' }, output: 'declare -x HALF="' }
        : {};
    await tools.call('terminal', { command: 'cd /srv' });
    const { result } = await tools.call('terminal', { command: 'serve', background: true });
    expect(result.status).toBe('cancelled');
    expect(played).toEqual([]);
  });

  it('ignores the foreground maximum', async () => {
    const args = { command: 'serve', background: true, timeout: 5000 };
    expect((await tools.call('terminal', args)).result.status).toBe('completed');
  });

  it('says when a pseudo-terminal could not be had', async () => {
    const args = { command: 'serve', background: true, pty: true };
    expect((await tools.call('terminal', args)).document.pty_note).toContain('pipes');
  });

  it('tracks 64, forgets the oldest finished one for another, and refuses one too many', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 64; count += 1) ids.push(await start());
    const refused = await tools.call('terminal', { command: 'more', background: true });
    expect(refused.document).toMatchObject({ output: '', exit_code: -1 });
    played[5]?.end({ status: 'exited', exitCode: 0 });
    await settle();
    await start();
    expect((await ask('poll', ids[5] ?? '')).document.status).toBe('not_found');
    expect((await ask('poll', ids[0] ?? '')).document.status).toBe('running');
  });
});

describe('looking', () => {
  it('lists what the rollout started, and nothing of another rollout', async () => {
    const id = await start(`echo ${'x'.repeat(300)}`);
    last().write(`${'o'.repeat(300)}end`);
    await effects.clock.advance(5_400);
    const { document } = await tools.call('process', { action: 'list' });
    expect(document.processes).toEqual([
      {
        session_id: id,
        command: `echo ${'x'.repeat(195)}`,
        cwd: sandbox.info.workdir,
        pid: 4242,
        started_at: '2026-01-01T00:00:00.000Z',
        uptime_seconds: 5,
        status: 'running',
        output_preview: `${'o'.repeat(197)}end`,
      },
    ]);
    const other = await openRollout(testEffects());
    expect((await other.call('process', { action: 'list' })).document.processes).toEqual([]);
    const foreign = await other.call('process', { action: 'kill', session_id: id });
    expect(foreign.document.status).toBe('not_found');
    expect(last().killed()).toBe(false);
  });

  it('polls status and the last 1000 characters, and the exit code once there is one', async () => {
    const id = await start();
    last().write(`${'a'.repeat(50)}${'b'.repeat(1000)}`);
    await settle();
    const running = (await ask('poll', id)).document;
    expect(running).toMatchObject({ status: 'running', command: 'serve', pid: 4242 });
    expect(running.output_preview).toBe('b'.repeat(1000));
    expect(running).not.toHaveProperty('exit_code');
    last().end({ status: 'exited', exitCode: 3 });
    await settle();
    expect((await ask('poll', id)).document).toMatchObject({ status: 'exited', exit_code: 3 });
  });

  it.each([
    [{}, '101\n102', '300', '200 lines'],
    [{ limit: 2 }, '299\n300', '300', '2 lines'],
    [{ offset: 10, limit: 3 }, '11\n12', '13', '3 lines'],
    [{ offset: 299 }, '300', '300', '1 lines'],
  ])('shows the log by lines: %j', async (args, from, to, showing) => {
    const id = await start();
    last().write(Array.from({ length: 300 }, (_, index) => `${index + 1}\n`).join(''));
    await settle();
    const { document } = await ask('log', id, args);
    expect(document).toMatchObject({ session_id: id, total_lines: 300, showing });
    expect(String(document.output).startsWith(from)).toBe(true);
    expect(String(document.output).endsWith(to)).toBe(true);
  });

  it('keeps the last 200,000 characters', async () => {
    const id = await start();
    for (let count = 0; count < 50; count += 1) last().write('x'.repeat(10_000));
    last().write('the end');
    await settle();
    const output = String((await ask('log', id)).document.output);
    expect(output).toHaveLength(200_000);
    expect(output.endsWith('the end')).toBe(true);
  });

  it('joins characters that arrive in pieces', async () => {
    const id = await start();
    const bytes = Buffer.from('полный\u{1f600}');
    for (const byte of bytes) last().write(Uint8Array.of(byte));
    await settle();
    expect((await ask('poll', id)).document.output_preview).toBe('полный\u{1f600}');
  });

  it('forgets a finished process after half an hour', async () => {
    const id = await start();
    last().end({ status: 'exited', exitCode: 0 });
    await effects.clock.advance(1_799_999);
    expect((await ask('poll', id)).document.status).toBe('exited');
    await effects.clock.advance(1);
    expect((await ask('poll', id)).document.status).toBe('not_found');
  });
});

describe('waiting', () => {
  it('ends with the process', async () => {
    const id = await start();
    const waiting = ask('wait', id);
    last().write('done');
    last().end({ status: 'exited', exitCode: 0 });
    expect((await waiting).document).toEqual({ status: 'exited', exit_code: 0, output: 'done' });
    expect(effects.clock.sleeping()).toBe(0);
  });

  it.each([
    [5, 5_000, 'Waited 5s'],
    [9999, 180_000, 'limited to 180s'],
    [undefined, 180_000, 'Waited 180s'],
  ])('of %j seconds ends after %i ms with a note', async (timeout, waitMs, note) => {
    const id = await start();
    const waiting = ask('wait', id, timeout === undefined ? {} : { timeout });
    await effects.clock.advance(waitMs);
    const { document } = await waiting;
    expect(document).toMatchObject({ status: 'timeout', output: '' });
    expect(document.timeout_note).toContain(note);
  });

  it('is interrupted when the rollout stops', async () => {
    const id = await start();
    const stop = new AbortController();
    const args = { action: 'wait', session_id: id };
    const waiting = tools.call('process', args, { signal: stop.signal });
    await settle();
    stop.abort();
    const { result, document } = await waiting;
    expect(result.status).toBe('cancelled');
    expect(document.status).toBe('interrupted');
  });
});

describe('acting', () => {
  it('kills once, and shows -15', async () => {
    const id = await start();
    expect((await ask('kill', id)).document).toEqual({ status: 'killed', session_id: id });
    expect(last().killed()).toBe(true);
    expect((await ask('kill', id)).document).toMatchObject({ status: 'already_exited' });
    expect((await ask('poll', id)).document.exit_code).toBe(-15);
  });

  it('writes as it is, submits with Enter, closes, and says when it is too late', async () => {
    const id = await start();
    expect((await ask('write', id, { data: 'grüße' })).document).toEqual({
      status: 'ok',
      bytes_written: 7,
    });
    expect((await ask('submit', id, { data: 'yes' })).document).toMatchObject({ bytes_written: 4 });
    expect((await ask('close', id)).document.status).toBe('ok');
    expect(last().input).toEqual(['grüße', 'yes\n', '<end>']);
    expect((await ask('write', id, { data: 'x' })).document.error).toContain('closed');
    last().end({ status: 'exited', exitCode: 0 });
    await settle();
    expect((await ask('submit', id, { data: 'x' })).document.status).toBe('already_exited');
  });

  it('gives up on a process that does not read', async () => {
    const id = await start();
    Object.assign(last().proc, { write: () => new Promise(() => undefined) });
    const writing = ask('write', id, { data: 'x' });
    await effects.clock.advance(10_000);
    expect((await writing).document.error).toContain('did not read');
  });

  it.each(['poll', 'log', 'wait', 'kill', 'write', 'submit', 'close'])(
    '%s needs a session that exists',
    async (action) => {
      const missing = await tools.call('process', { action });
      expect(missing.document.error).toContain('session_id is required');
      const unknown = await ask(action, 'proc_000000000000');
      expect(unknown.document.status).toBe('not_found');
      expect(unknown.document.error).toContain('proc_000000000000');
    },
  );

  it('answers an unknown action with an error', async () => {
    const { result } = await tools.call('process', { action: 'restart' });
    expect(result).toMatchObject({ status: 'failed', error: { code: 'INVALID_ARGUMENTS' } });
  });
});

it('ends every process when the rollout closes its tools', async () => {
  await start();
  await start();
  await tools.open.close?.();
  expect(played.map((process) => process.killed())).toEqual([true, true]);
});
