import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Effects } from '@hermes/protocol';
import { testEffects } from '@hermes/protocol/testing';
import type { Sandbox, SandboxProvider } from '@hermes/sandbox';
import { createSandboxProvider } from '@hermes/sandbox-local';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ToolResources } from '../src/index.ts';
import {
  createResultBudget,
  createToolContext,
  fileToolset,
  terminalToolset,
} from '../src/index.ts';
import { callContext, openTools, resourcesOf, type TestTools } from './support/rollout.ts';

let provider: SandboxProvider;
let sandbox: Sandbox;
let resources: ToolResources;
let tools: TestTools;
let count = 0;

beforeAll(async () => {
  const openProvider = () => Promise.reject(new Error('there is no other provider'));
  provider = await createSandboxProvider({ isolation: 'none' }, { openProvider });
});
afterAll(() => provider.close());
beforeEach(async () => {
  count += 1;
  const idempotencyKey = `tools-${process.pid}-${count}`;
  sandbox = await provider.create({ lifetimeMs: 600_000, labels: {}, idempotencyKey });
  resources = resourcesOf(sandbox, { capabilities: sandbox.capabilities });
  tools = await openTools(resources, [terminalToolset(), fileToolset()]);
});
afterEach(async () => {
  await tools.open.close?.();
  await sandbox.dispose();
});

const run = async (command: string, more = {}): Promise<Record<string, unknown>> =>
  (await tools.call('terminal', { command, ...more })).document;

describe('the terminal', () => {
  it('keeps folder, exports and functions, and the file tools follow', async () => {
    await run('mkdir -p deep/er && cd deep/er && export NAME=value && greet() { echo "hi $1"; }');
    expect(await run('greet "$NAME"; basename "$PWD"')).toMatchObject({ output: 'hi value\ner' });
    await tools.call('write_file', { path: 'note.txt', content: 'here' });
    expect(await run('cat note.txt')).toMatchObject({ output: 'here', exit_code: 0 });
    const { document } = await tools.call('read_file', { path: 'note.txt' });
    expect(document.content).toBe('     1|here');
  });

  it('joins stdout and stderr in order and shows the exit code', async () => {
    const document = await run('echo out; echo err >&2; echo out again; (exit 3)');
    expect(document).toEqual({ output: 'out\nerr\nout again', exit_code: 3, error: null });
  });

  it('ends a command and its children when time is over, and goes on in the same shell', async () => {
    await run('export KEPT=yes; cd /');
    const document = await run('echo partial; trap "" TERM; sleep 300 & sleep 300', { timeout: 1 });
    expect(document).toMatchObject({ exit_code: 124 });
    expect(document.output).toMatch(/^partial\n/);
    expect(document.output).toMatch(/\n\[Command timed out after 1s\]$/);
    expect(await run('echo "$KEPT $PWD"')).toMatchObject({ output: 'yes /' });
  });

  it('is usable after broken input, and after a command that leaves the shell', async () => {
    await run('cat <<EOF\nnever ended');
    await run('echo "open quote');
    expect(await run('exit 7')).toMatchObject({ exit_code: 7 });
    expect(await run('echo fine')).toMatchObject({ output: 'fine', exit_code: 0 });
  });

  it('runs in the workdir, and says when there is none', async () => {
    await run('mkdir -p "some folder"');
    const workdir = `${sandbox.info.workdir}/some folder`;
    expect((await run('basename "$PWD"', { workdir })).output).toBe('some folder');
    expect(await run('pwd', { workdir: '/no/such/folder' })).toMatchObject({ exit_code: -1 });
  });

  it('survives that its folder is removed', async () => {
    await run('mkdir gone && cd gone && rmdir ../gone');
    expect(await run('cd / && pwd')).toMatchObject({ output: '/', exit_code: 0 });
  });

  it('is stopped with the rollout', async () => {
    const stop = new AbortController();
    const emptied = tools.call('terminal', { command: 'sleep 300' }, { signal: stop.signal });
    stop.abort();
    const { result } = await emptied;
    expect(result.status).toBe('cancelled');
  });

  it('cuts a long output in the middle', async () => {
    const output = String((await run('seq 1 200000')).output);
    expect(output.startsWith('1\n2\n')).toBe(true);
    expect(output.endsWith('199999\n200000')).toBe(true);
    const notice =
      /\[output cut: ([\d,]+) characters and ([\d,]+) further bytes/.exec(output) ?? [];
    const leftOut = notice.slice(1).map((number) => Number(number.replaceAll(',', '')));
    expect(leftOut.reduce((sum, number) => sum + number, 0)).toBe(1_288_895 - 50_000);
  });
});

describe('the terminal of a sandbox without sessions', () => {
  it('keeps the folder alone, from a shell to the next', async () => {
    const capabilities = { ...sandbox.capabilities, sessions: false };
    const { ref, info, files, gone } = sandbox;
    const plain: Sandbox = {
      ...sandbox,
      ...{ ref, info, files, gone, capabilities },
      exec: (request) => sandbox.exec(request),
    };
    resources = resourcesOf(plain);
    tools = await openTools(resources, [terminalToolset(), fileToolset()]);
    await run('mkdir -p sub && cd sub && export LOST=1');
    expect(await run('basename "$PWD"; echo "[$LOST]"; false')).toMatchObject({
      output: 'sub\n[]',
      exit_code: 1,
    });
    expect(await run('cd .. ; exit 3')).toMatchObject({ exit_code: 3 });
    expect(resources.shell.cwd).toBe(info.workdir);
    expect(await run('mkdir gone && cd gone && rmdir ../gone')).toMatchObject({ output: '' });
    expect((await run('echo fine')).output).toContain('fine');
    expect((await run('no_such_command')).output).toContain('line 1: no_such_command');
    expect(await run('ls "$TMPDIR"')).toMatchObject({ output: '' });
  });
});

describe('background processes', () => {
  const start = async (command: string): Promise<string> =>
    String((await run(command, { background: true })).session_id);
  const ask = async (action: string, id: string, more = {}): Promise<Record<string, unknown>> =>
    (await tools.call('process', { action, session_id: id, ...more })).document;

  it('start where the shell stands, with its exports, and end on their own', async () => {
    await openReal();
    await run('mkdir -p srv && cd srv && export PORT=8080');
    const id = await start('echo "$PORT $(basename "$PWD")"; exit 4');
    const document = await ask('wait', id, { timeout: 20 });
    expect(document).toEqual({ status: 'exited', exit_code: 4, output: '8080 srv\n' });
  });

  it('are killed with everything they started', async () => {
    const id = await start('sleep 391 & setsid sleep 391 & wait');
    while ((await runningWith('391')) < 2) await breath();
    expect(await ask('kill', id)).toEqual({ status: 'killed', session_id: id });
    expect(await runningWith('391')).toBe(0);
    expect(await ask('poll', id)).toMatchObject({ status: 'exited', exit_code: -15 });
  });

  it('read what is written to them, until it is closed', async () => {
    await openReal();
    const id = await start('while read -r line; do echo "got $line"; done; echo end');
    await ask('submit', id, { data: 'one' });
    await ask('write', id, { data: 'two\n' });
    await ask('close', id);
    const document = await ask('wait', id, { timeout: 20 });
    expect(document).toMatchObject({ status: 'exited', output: 'got one\ngot two\nend\n' });
  });

  it('that cannot start say so', async () => {
    const workdir = '/no/such/folder';
    const { result, document } = await tools.call('terminal', {
      command: 'true',
      background: true,
      workdir,
    });
    expect(result.status).toBe('failed');
    expect(document).toMatchObject({ output: '', exit_code: -1 });
    expect(document.error).toContain(workdir);
  });

  it('have the exports of a shell that redefined its words', async () => {
    await openReal();
    await run('export NAME=value; export() { echo mine; }');
    const id = await start('echo "$NAME"');
    expect(await ask('wait', id, { timeout: 20 })).toMatchObject({ output: 'value\n' });
  });

  it('end with the rollout', async () => {
    await start('sleep 392 & sleep 392');
    await tools.open.close?.();
    expect(await runningWith('392')).toBe(0);
  });

  /** The same rollout on the machine's clock, for waits that must end when the process does. */
  async function openReal(): Promise<void> {
    await tools.open.close?.();
    tools = await openTools(resources, [terminalToolset(), fileToolset()], realTime());
  }
});

describe('files', () => {
  it('are written through links, with their mode', async () => {
    await run('mkdir real; echo old > real/run.sh; chmod 755 real/run.sh; ln -s real/run.sh link');
    await tools.call('write_file', { path: 'link', content: '#!/bin/sh\necho new\n' });
    expect(await run('./link; test -L link && stat -c %a real/run.sh')).toMatchObject({
      output: 'new\n755',
    });
  });

  it('are read anew when what a link leads to changes', async () => {
    await run('echo one > target; ln -s target link');
    await tools.call('read_file', { path: 'link' });
    await run('echo three > target');
    const { document } = await tools.call('read_file', { path: 'link' });
    expect(document.content).toBe('     1|three');
  });

  it('are found from the home folder', async () => {
    await run('echo home > ~/mine');
    const { document } = await tools.call('read_file', { path: '~/mine' });
    expect(document.content).toBe('     1|home');
  });

  it('that never end are refused, also behind a link', async () => {
    await run('mkfifo pipe; ln -s /dev/zero zero');
    for (const path of ['pipe', 'zero']) {
      const { result } = await tools.call('read_file', { path });
      expect(result).toMatchObject({ error: { code: 'DEVICE_FILE' } });
    }
  });

  it('that are pipes or devices are never replaced', async () => {
    await run('mkfifo pipe; ln -s pipe link');
    for (const path of ['pipe', 'link']) {
      const { result } = await tools.call('write_file', { path, content: 'x' });
      expect(result).toMatchObject({ status: 'failed', error: { code: 'DEVICE_FILE' } });
    }
    expect(await run('test -p pipe && echo still')).toMatchObject({ output: 'still' });
  });

  it('of the own machine are protected behind links too', async () => {
    await run('mkdir ~/.ssh; ln -s ~/.ssh keys; ln -s ~/.netrc dangling; ln -s keys again');
    for (const path of ['keys/config', 'dangling', 'again/new/config', 'keys/../.ssh/x']) {
      const { result } = await tools.call('write_file', { path, content: 'x' });
      expect(result, path).toMatchObject({ error: { code: 'PROTECTED_PATH' } });
    }
    const { result } = await tools.call('write_file', { path: 'keys/../free', content: 'x' });
    expect(result.status).toBe('completed');
  });

  it('are suggested under another name only', async () => {
    await run('ln -s nothing dangling; touch dangler');
    const { document } = await tools.call('read_file', { path: 'dangling' });
    expect(document.similar_files).toEqual(['dangler']);
  });

  it('hold a long result, which read_file then shows', async () => {
    const budget = createResultBudget(resources, { resultChars: 1000 });
    const content = Array.from({ length: 900 }, (_, index) => `row ${index}`).join('\n');
    const moved = await budget.limitResult({ status: 'completed', content }, null, callContext());
    const path = /saved at: (\S+)/.exec(String(moved.content))?.[1] ?? '';
    const { document } = await tools.call('read_file', { path, offset: 900 });
    expect(document.content).toBe('   900|row 899');
  });
});

it('a sandbox that is gone shows in every tool, for the runner to see', async () => {
  await run('true');
  await sandbox.dispose();
  const calls = [
    ['terminal', { command: 'ls' }],
    ['terminal', { command: 'ls', background: true }],
    ['read_file', { path: 'a' }],
    ['write_file', { path: 'a', content: '' }],
  ] as const;
  for (const [name, args] of calls) {
    const { result } = await tools.call(name, args);
    expect(result).toMatchObject({ status: 'failed', error: { boundary: 'sandbox' } });
  }
});

describe('a verifier', () => {
  const contextOf = () =>
    createToolContext({
      sandbox,
      effects: testEffects(),
      signal: new AbortController().signal,
      callTool: () => Promise.reject(new Error('not called')),
    });

  it('has nothing of the shell that the model worked in', async () => {
    await run('mkdir bin; printf "#!/bin/sh\\necho fake" > bin/ls; chmod +x bin/ls');
    await run(
      'export PATH="$PWD/bin:$PATH" FORGED=1 BASH_ENV="$PWD/forged"; echo "echo forged" > forged',
    );
    await run('alias cat="echo fake"; cat() { echo fake; }; export -f cat; cd /');
    await run('for file in .profile .bashrc .bash_profile; do echo "echo fake" > ~/$file; done');
    const context = contextOf();
    const script = 'echo "real" | cat; echo "[$FORGED]"; command -v ls; pwd';
    const { stdout } = await context.exec(script);
    const [real, forged, ls, folder] = stdout.text().split('\n');
    expect([real, forged, folder]).toEqual(['real', '[]', sandbox.info.workdir]);
    expect(ls).not.toContain(sandbox.info.workdir);
  });

  it('gets all of a long output', async () => {
    const { stdout } = await contextOf().exec('head -c 5000000 /dev/zero | tr "\\0" x');
    expect(stdout.droppedBytes).toBe(0);
    expect(stdout.bytes).toHaveLength(5_000_000);
  });

  it('keeps its own time-out', async () => {
    const result = await contextOf().exec('echo begun; sleep 300', { timeoutMs: 500 });
    expect(result.status).toBe('timeout');
    expect(result.stdout.text()).toBe('begun\n');
  });

  it('downloads a file that does not tell its size', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hermes-tools-'));
    const local = join(folder, 'version');
    expect(await contextOf().download('/proc/version', local)).toMatchObject({ ok: true });
    expect(await readFile(local, 'utf8')).toContain('Linux');
    await rm(folder, { recursive: true });
  });

  it('reads, writes and removes where the shell would have to quote', async () => {
    const context = contextOf();
    const name = `it's "$HOME"; \`x\` *.txt`;
    await context.write(name, 'a');
    expect(await context.readText(name)).toEqual({ ok: true, value: 'a' });
    await context.remove(name);
    expect(await context.exists(name)).toBe(false);
  });
});

/** How many processes of this machine run `sleep` for so long. */
async function runningWith(seconds: string): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return lines.filter((line) => line === `sleep\0${seconds}\0`).length;
}

function breath(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function realTime(): Effects {
  const now = () => ({ wallMs: Date.now(), monoMs: performance.now() });
  const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      signal?.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  return { ...testEffects(), clock: { now, sleep } };
}
