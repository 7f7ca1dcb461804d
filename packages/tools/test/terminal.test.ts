import type { ExecStatus, SandboxErrorCode } from '@hermes/sandbox';
import { SandboxError } from '@hermes/sandbox';
import { describe, expect, it } from 'vitest';
import { createToolResources, terminalToolset } from '../src/index.ts';
import { type FakeShell, fakeShell, type Outcome } from './support/fake-shell.ts';
import { type Answer, memorySandbox, openTools, resourcesOf } from './support/rollout.ts';

const run = async (
  outcome: Outcome | (() => Outcome | Promise<Outcome>),
  args: Record<string, unknown> = {},
): Promise<Answer & FakeShell> => {
  const fake = await fakeShell(() => (typeof outcome === 'function' ? outcome() : outcome));
  const tools = await openTools(resourcesOf(fake.sandbox), [terminalToolset()]);
  const given = JSON.parse(JSON.stringify({ command: 'run', ...args }));
  return { ...(await tools.call('terminal', given)), ...fake };
};

describe('a foreground command', () => {
  it('answers with output, exit code and no error', async () => {
    const { result, document } = await run({ output: ' hello\n' });
    expect(result.status).toBe('completed');
    expect(document).toEqual({ output: 'hello', exit_code: 0, error: null });
  });

  it('strips control sequences and masks nothing', async () => {
    const output =
      '\u001b[1;31mred\u001b[0m \u001b]0;title\u0007key=sk-abcdefghijklmnopqrstuvwxyz1234';
    expect((await run({ output })).document.output).toBe(
      'red key=sk-abcdefghijklmnopqrstuvwxyz1234',
    );
  });

  it('shows 50,000 characters whole', async () => {
    const output = '\u{1f600}'.repeat(50_000);
    expect((await run({ output })).document.output).toBe(output);
  });

  it('cuts the middle of one more, keeps 40 and 60 percent and counts the rest', async () => {
    const output = `${'a'.repeat(20_000)}${'b'.repeat(1234)}${'c'.repeat(30_000)}`;
    const { document } = await run({ output });
    const [head, notice, tail] = String(document.output).split('\n\n');
    expect(head).toBe('a'.repeat(20_000));
    expect(notice).toBe('[output cut: 1,234 characters left out here]');
    expect(tail).toBe('c'.repeat(30_000));
  });

  it('counts and cuts what is left without control sequences', async () => {
    const coloured = (text: string): string => `\u001b[31m${text}\u001b[0m`;
    const short = coloured('x').repeat(20_000);
    expect((await run({ output: short })).document.output).toBe('x'.repeat(20_000));
    const long = `${coloured('a').repeat(20_000)}b${coloured('c').repeat(30_000)}`;
    const { document } = await run({ output: long });
    const notice = '[output cut: 1 characters left out here]';
    expect(document.output).toBe(`${'a'.repeat(20_000)}\n\n${notice}\n\n${'c'.repeat(30_000)}`);
  });

  it('says how much the sandbox itself left out', async () => {
    const output = 'x'.repeat(60_000);
    const { document } = await run({ output, droppedBytes: 7_000_000 });
    expect(document.output).toContain('10,000 characters and 7,000,000 further bytes left out');
  });

  it.each<[ExecStatus, number, string | null, string]>([
    [{ status: 'exited', exitCode: 3 }, 3, null, 'completed'],
    [{ status: 'signaled', signal: 'SIGSEGV' }, 139, null, 'completed'],
    [{ status: 'oom' }, 137, '[Command killed: out of memory]', 'completed'],
    [{ status: 'timeout' }, 124, '[Command timed out after 180s]', 'timeout'],
    [{ status: 'cancelled' }, 130, '[Command interrupted]', 'cancelled'],
  ])('that ends with %j shows its output and exit code %i', async (status, code, line, shown) => {
    const { result, document } = await run({ status, output: 'partial\n' });
    expect(result.status).toBe(shown);
    expect(document.exit_code).toBe(code);
    expect(document.output).toBe(line === null ? 'partial' : `partial\n${line}`);
  });

  it('keeps the last line on how it ended when the output is cut', async () => {
    const { document } = await run({ status: { status: 'timeout' }, output: 'x'.repeat(90_000) });
    expect(document.output).toMatch(/x\n\[Command timed out after 180s\]$/);
  });

  it('that could not be started is an error', async () => {
    const status = { status: 'not_started', message: 'no such folder /x' } as const;
    const { result, document } = await run({ status }, { workdir: '/x' });
    expect(result.status).toBe('failed');
    expect(document).toMatchObject({ output: '', exit_code: -1, error: 'no such folder /x' });
  });

  it.each([
    ['grep x a', 1, /No matches/],
    ['cd /a && ls | /usr/bin/egrep x', 1, /No matches/],
    ['LANG=C rg x', 1, /No matches/],
    ['diff a b', 1, /differ/],
    ['find / -name x', 1, /directories/],
    ['true; test -f x', 1, /false/],
    ['[ -f x ]', 1, /false/],
    ['curl http://x', 6, /resolved/],
    ['curl http://x', 7, /connection/],
    ['curl -f http://x', 22, /HTTP/],
    ['curl http://x', 28, /time/],
    ['git diff --exit-code', 1, /normal/i],
    ['grep -E "a|b" x', 1, /No matches/],
    ["grep 'a;b' x;", 1, /No matches/],
    ['grep it\\"s x | grep "\\" | y" z', 1, /No matches/],
    ['echo "a; grep x"', 1, null],
    ['grep x a', 2, null],
    ['grep x a && make', 1, null],
    ['python x.py', 1, null],
  ])('explains the exit of %j with %i', async (command, exitCode, meaning) => {
    const { document } = await run({ status: { status: 'exited', exitCode } }, { command });
    if (meaning === null) expect(document).not.toHaveProperty('exit_code_meaning');
    else expect(document.exit_code_meaning).toMatch(meaning);
  });
});

describe('what a model may ask', () => {
  it.each([
    [7, 'number'],
    [null, 'null'],
    [['ls'], 'array'],
    [undefined, 'nothing'],
  ])('not a command that is %j', async (command, name) => {
    const { document, requests } = await run({}, { command });
    expect(document).toEqual({
      output: '',
      exit_code: -1,
      error: `Invalid command: expected string, got ${name}`,
      status: 'error',
    });
    expect(requests).toEqual([]);
  });

  it.each([
    [undefined, 180_000],
    [1, 1_000],
    [600, 600_000],
  ])('a time-out of %j seconds', async (timeout, timeoutMs) => {
    const { requests } = await run({}, { timeout });
    expect(requests).toMatchObject([{ timeoutMs }]);
  });

  it('not a foreground time-out of 601 seconds: only an error', async () => {
    const { result, document, requests } = await run({}, { timeout: 601 });
    expect(result.status).toBe('failed');
    expect(Object.keys(document)).toEqual(['error']);
    expect(document.error).toContain('601s');
    expect(requests).toEqual([]);
  });

  it('what the limits of the run say instead', async () => {
    const fake = await fakeShell(() => ({}));
    const limits = { maxForegroundMs: 5_000, commandTimeoutMs: 2_000 };
    const resources = resourcesOf(fake.sandbox, { limits });
    const tools = await openTools(resources, [terminalToolset({ commandTimeoutMs: 9_000 })]);
    await tools.call('terminal', { command: 'x' });
    expect(fake.requests).toMatchObject([{ timeoutMs: 2_000 }]);
    const { document } = await tools.call('terminal', { command: 'x', timeout: 6 });
    expect(document.error).toContain('maximum of 5s');
  });

  it.each(['/srv/my app', '~/work', 'sub/dir-1.2', '/a+b@c=d,e_f'])(
    'the workdir %s',
    async (workdir) => {
      expect((await run({}, { workdir })).result.status).toBe('completed');
    },
  );

  it.each(['/a;rm -rf', '/a$(x)', '/a`x`', '/a|b', '/a\nb', '"', '/ü'])(
    'not the workdir %j',
    async (workdir) => {
      const { document, requests } = await run({}, { workdir });
      expect(document).toMatchObject({ output: '', exit_code: -1, status: 'blocked' });
      expect(requests).toEqual([]);
    },
  );

  it('is told how long a command may take', async () => {
    const { sandbox } = await fakeShell(() => ({}));
    const toolset = terminalToolset({ commandTimeoutMs: 90_000, maxForegroundMs: 300_000 });
    const { open } = await openTools(resourcesOf(sandbox), [toolset]);
    const schema = JSON.stringify(open.tools[0]?.schema);
    expect(schema).toContain('default 90, maximum 300');
  });

  it('offers a pseudo-terminal only where there is one, and no notifications', async () => {
    const properties = async (tty: boolean | null): Promise<string[]> => {
      const { sandbox } = await fakeShell(() => ({}), { tty: tty ?? false });
      const more = tty === null ? {} : { capabilities: sandbox.capabilities };
      const { open } = await openTools(resourcesOf(sandbox, more), [terminalToolset()]);
      const parameters = open.tools[0]?.schema.function.parameters ?? {};
      return Object.keys(Object(parameters.properties));
    };
    const always = ['command', 'background', 'timeout', 'workdir'];
    expect(await properties(null)).toEqual(always);
    expect(await properties(false)).toEqual(always);
    expect(await properties(true)).toEqual([...always, 'pty']);
  });
});

describe('the shell of a rollout', () => {
  it('is one session, and its folder is where the file tools start', async () => {
    const fake = await fakeShell(() => ({ cwdAfter: '/srv' }));
    const resources = resourcesOf(fake.sandbox);
    const tools = await openTools(resources, [terminalToolset()]);
    await tools.call('terminal', { command: 'cd /srv' });
    await tools.call('terminal', { command: 'ls' });
    expect(fake.opened()).toBe(1);
    expect(resources.shell).toEqual({ cwd: '/srv', commandsRun: 2 });
    await tools.open.close?.();
    expect(fake.closed()).toBe(1);
  });

  it('runs the commands of agents that share it one after the other', async () => {
    const ends: (() => void)[] = [];
    const fake = await fakeShell(
      () => new Promise<Outcome>((resolve) => ends.push(() => resolve({ output: 'done' }))),
    );
    const tools = await openTools(resourcesOf(fake.sandbox), [terminalToolset()]);
    const first = tools.call('terminal', { command: 'first' });
    const second = tools.call('terminal', { command: 'second' });
    await new Promise(setImmediate);
    expect(fake.requests).toMatchObject([{ command: { script: 'first' } }]);
    ends[0]?.();
    expect((await first).document.output).toBe('done');
    await new Promise(setImmediate);
    ends[1]?.();
    expect((await second).document.output).toBe('done');
    expect(fake.opened()).toBe(1);
  });

  it('never runs a command again after the channel broke, and opens a new session for the next', async () => {
    let calls = 0;
    const fake = await fakeShell(() => {
      calls += 1;
      if (calls === 1) throw new SandboxError('TRANSPORT', 'request', 'The channel broke');
      return { output: 'fine' };
    });
    const tools = await openTools(resourcesOf(fake.sandbox), [terminalToolset()]);
    const first = await tools.call('terminal', { command: 'make' });
    expect(first.result).toMatchObject({ status: 'failed', error: { boundary: 'sandbox' } });
    expect(calls).toBe(1);
    const second = await tools.call('terminal', { command: 'ls' });
    expect(second.document.output).toBe('fine');
    expect(fake.opened()).toBe(2);
  });

  it.each<[SandboxErrorCode, string, string]>([
    ['SESSION_BUSY', 'failed', 'tool'],
    ['UNSUPPORTED', 'failed', 'tool'],
    ['SANDBOX_GONE', 'failed', 'sandbox'],
    ['CANCELLED', 'cancelled', 'sandbox'],
  ])('turns %s into a result', async (code, status, boundary) => {
    const { result, document } = await run(() => {
      throw new SandboxError(code, 'request', 'It cannot be done');
    });
    expect(result).toMatchObject({ status, error: { boundary, code } });
    expect(document).toMatchObject({ output: '', exit_code: -1, error: 'It cannot be done' });
  });

  it('lets a defect pass, for the loop to report', async () => {
    const broken = createToolResources({
      userTask: null,
      sandbox: () => Promise.reject(new TypeError('a defect')),
    });
    const tools = await openTools(broken, [terminalToolset()]);
    await expect(tools.call('terminal', { command: 'ls' })).rejects.toThrow('a defect');
  });

  it('goes back to the working directory of the sandbox when its own is gone', async () => {
    const fake = await fakeShell(
      (request) =>
        request.cwd === '/gone'
          ? { status: { status: 'not_started', message: 'no such folder' } }
          : { output: 'done', cwdAfter: '/home' },
      { sessions: false, shell: false },
    );
    const resources = resourcesOf(fake.sandbox);
    resources.shell.cwd = '/gone';
    const tools = await openTools(resources, [terminalToolset()]);
    const { document } = await tools.call('terminal', { command: 'ls' });
    expect(document.output).toMatch(/^done\n\[The working directory \/gone is gone;/);
    expect(resources.shell.cwd).toBe('/home');
  });

  it('works with the scripted commands of the sandbox in memory', async () => {
    const sandbox = await memorySandbox({ greet: () => ({ exitCode: 2, stdout: 'hi' }) });
    const tools = await openTools(resourcesOf(sandbox), [terminalToolset()]);
    const { document } = await tools.call('terminal', { command: 'greet you' });
    expect(document).toEqual({ output: 'hi', exit_code: 2, error: null });
    const background = await tools.call('terminal', { command: 'greet', background: true });
    expect(background.result).toMatchObject({ status: 'failed', error: { boundary: 'tool' } });
  });
});
