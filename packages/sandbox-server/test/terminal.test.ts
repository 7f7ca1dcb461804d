import type { SandboxProvider } from '@hermes/sandbox';
import { isExpected } from '@hermes/vitest-config/services';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandboxServer, type SandboxServer } from '../src/index.ts';
import { bytesOfKeys } from '../src/terminal/keys.ts';
import { RawOutput } from '../src/terminal/raw-output.ts';
import { Client, openLocal, TOKEN } from './_server.ts';

describe.runIf(isExpected('bubblewrap'))('tmux', () => {
  let provider: SandboxProvider;
  let server: SandboxServer;
  let client: Client;
  const act = (action: string, more: object = {}) => client.tool('tmux', { action, ...more });

  beforeAll(async () => {
    provider = await openLocal('bubblewrap');
    server = await createSandboxServer({ provider, token: TOKEN, port: 0, slots: 1 });
    client = new Client(server.url);
  });

  afterAll(async () => {
    await server.close();
    await provider.close();
  });

  it('needs a start', async () => {
    expect(await act('send_keys', { keys: 'x' })).toMatchObject({
      success: false,
      error: 'tmux: no terminal runs here; action start opens one',
    });
    expect(await act('capture')).toMatchObject({ success: false });
    expect(await act('stream')).toMatchObject({ success: false });
    expect(await act('stop')).toMatchObject({ success: true });
    expect(await client.tool('tmux', { action: 'dance' })).toMatchObject({
      success: false,
      error: expect.stringContaining('args.action'),
    });
  });

  it('is a terminal of the size that was asked for, with a shell in the workspace', async () => {
    const started = await act('start', { pane_width: 90, pane_height: 10 });
    expect(started).toMatchObject({ success: true, output: '/workspace$' });
    const { output } = await act('send_keys', { keys: ['stty size', 'Enter'], block: true });
    expect(output).toBe('/workspace$ stty size\n10 90\n/workspace$');
    expect(await act('start')).toMatchObject({ metadata: { already_running: true } });
  });

  it('waits with block until the command has ended, and not longer than told', async () => {
    await act('start', { reset: true });
    const done = await act('send_keys', { keys: ['sleep 0.3; echo do""ne', 'Enter'], block: true });
    expect(done.output).toMatch(/\ndone\n\/workspace\$$/);
    const late = await act('send_keys', { keys: ['cat', 'Enter'], block: true, max_wait_s: 0.2 });
    expect(late).toMatchObject({
      success: false,
      metadata: { timeout: true, running: true },
    });
    const ended = await act('send_keys', { keys: 'C-c', block: true });
    expect(ended.output).toMatch(/cat\n\^C\n\/workspace\$$/);
  });

  it('shows the screen, and on demand all that has scrolled away, with wrapped lines whole', async () => {
    await act('start', { reset: true, pane_width: 20, pane_height: 5 });
    const keys = ['seq 1 30; printf "%060d\\n" 7', 'Enter'];
    const shown = await act('send_keys', { keys, block: true });
    expect(shown.output).not.toMatch(/^1$/m);
    const { output } = await act('capture', { capture_entire: true });
    expect(output).toContain(`\n1\n2\n3\n`);
    expect(output).toContain(`\n30\n${'7'.padStart(60, '0')}\n`);
  });

  it('draws what programs draw', async () => {
    await act('start', { reset: true });
    const keys = ["clear; printf 'one\\033[2;5Htwo\\rX\\n'", 'Enter'];
    const { output } = await act('send_keys', { keys, block: true });
    expect(output).toBe('one\nX   two\n/workspace$');
  });

  it('streams what came since the last time, raw, and from the start again', async () => {
    await act('start', { reset: true });
    await act('stream');
    await act('send_keys', { keys: ['echo a', 'Enter'], block: true });
    const first = await act('stream', { max_bytes: 4 });
    expect(first).toMatchObject({ output: 'echo', metadata: { bytes: 4, lost: 0 } });
    const rest = await act('stream');
    expect(rest.output).toMatch(/^ a\r\n.*a\r\n/s);
    expect(rest.metadata).toMatchObject({ left: 0 });
    expect((await act('stream')).output).toBe('');
    expect((await act('stream', { reset: true })).output).toContain('echo a');
  });

  it('tells when its shell has ended, and is gone after a stop', async () => {
    await act('start', { reset: true });
    const ended = await act('send_keys', { keys: ['exit', 'Enter'], block: true });
    expect(ended).toMatchObject({ metadata: { running: false } });
    expect(await act('send_keys', { keys: 'x' })).toMatchObject({ success: false });
    expect(await act('start')).toMatchObject({ success: true, metadata: { running: true } });
    await act('stop');
    expect(await act('capture')).toMatchObject({ success: false });
  });

  it('does not keep commands from running beside it', async () => {
    await act('start', { reset: true });
    await act('send_keys', { keys: ['echo here > made', 'Enter'], block: true });
    expect(await client.tool('bash', { command: 'cat made' })).toMatchObject({ output: 'here\n' });
  });
});

it.each([
  [['ls -l', 'Enter'], 'ls -l\r'],
  [['C-c'], '\u0003'],
  [['^D'], '\u0004'],
  [['C-['], '\u001b'],
  [['M-x', 'Escape', 'Up'], '\u001bx\u001b\u001b[A'],
  [['Enter now', 'M-xy', 'é'], 'Enter nowM-xyé'],
])('the keys %j are typed as %j', (keys, bytes) => {
  expect(bytesOfKeys(keys).toString()).toBe(bytes);
});

it('raw output gives up the oldest, and says how much nobody will see', () => {
  const output = new RawOutput();
  const mebibyte = Buffer.alloc(1024 * 1024, 'x');
  output.push(mebibyte);
  expect(output.take(10, false)).toMatchObject({ lost: 0, left: mebibyte.length - 10 });
  for (let count = 0; count < 5; count += 1) output.push(mebibyte);
  expect(output.take(Number.POSITIVE_INFINITY, false)).toMatchObject({
    lost: 2 * mebibyte.length - 10,
    left: 0,
  });
});
