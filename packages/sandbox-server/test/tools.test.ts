import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { SandboxProvider } from '@hermes/sandbox';
import { isExpected } from '@hermes/vitest-config/services';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandboxServer, type SandboxServer } from '../src/index.ts';
import { Client, openLocal, startServer, TOKEN } from './_server.ts';

/** How many processes of this machine carry a word in their arguments. */
function processesWith(word: string): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(word);
    } catch {
      return false; // it has ended
    }
  }).length;
}

describe.runIf(isExpected('bubblewrap'))('over bubblewrap', () => {
  let provider: SandboxProvider;
  let server: SandboxServer;
  let client: Client;

  beforeAll(async () => {
    provider = await openLocal('bubblewrap');
    server = await createSandboxServer({ provider, token: TOKEN, port: 0, slots: 4 });
    client = new Client(server.url);
  });

  afterAll(async () => {
    await server.close();
    await provider.close();
  });

  describe('bash', () => {
    it('gives output, exit code and what held', async () => {
      const script = 'pwd; echo wrong >&2; exit 3';
      expect(await client.tool('bash', { command: script }, { execution_id: 'one' })).toEqual({
        success: false,
        output: '/workspace\n[stderr]\nwrong\n',
        error: 'the command ended with exit code 3',
        execution_id: 'one',
        metadata: { exit_code: 3, returncode: 3, sandboxed: true, network_isolated: false },
      });
      expect(await client.tool('bash', { command: 'true' })).toMatchObject({
        success: true,
        output: '',
        error: '',
        metadata: { exit_code: 0 },
      });
    });

    it('ends a command that runs past its time with all that it started; files stay', async () => {
      const mark = randomUUID();
      const script = `echo kept > kept; echo partial; (setsid sh -c 'sleep 300; : ${mark}' &); sleep 300`;
      const late = await client.tool('bash', { command: script }, { timeout: 0.5 });
      expect(late).toMatchObject({
        success: false,
        output: 'partial\n',
        metadata: { exit_code: 124, timeout: true },
      });
      expect(processesWith(mark)).toBe(0);
      expect(await client.tool('bash', { command: 'cat kept' })).toMatchObject({
        output: 'kept\n',
      });
    });

    it('keeps the first 50,000 characters of the output', async () => {
      const script = 'i=0; while [ $i -lt 30000 ]; do printf "é%d" $((i % 10)); i=$((i + 1)); done';
      const { output, metadata } = await client.tool('bash', { command: script });
      expect([...output]).toHaveLength(50_000);
      expect(output.startsWith('é0é1')).toBe(true);
      expect(metadata).toMatchObject({ exit_code: 0, truncated: true });
    });

    it('tells a signal and a wrong argument', async () => {
      const killed = await client.tool('bash', { command: 'kill -9 $$' });
      expect(killed).toMatchObject({ success: false, metadata: { exit_code: 137 } });
      const wrong = await client.tool('bash', { command: 7 });
      expect(wrong).toMatchObject({
        success: false,
        error: expect.stringContaining('args.command'),
      });
      const unknown = await client.tool('bsh', {});
      expect(unknown.error).toBe(
        'there is no tool bsh; there is: bash, bash_stateful, read_file, write_file, tmux',
      );
    });
  });

  describe('bash_stateful', () => {
    it('keeps directory, variables and functions; a timeout ends the command alone, an exit the shell', async () => {
      const stateful = (command: string, more = {}) =>
        client.tool('bash_stateful', { command }, more);
      await stateful('mkdir -p deep && cd deep; export A=1; f() { echo "f $A"; }');
      expect(await stateful('pwd; f')).toMatchObject({
        output: '/workspace/deep\nf 1\n',
        metadata: { exit_code: 0, cwd: '/workspace/deep' },
      });
      const late = await stateful('echo partial; sleep 300', { timeout: 0.5 });
      expect(late).toMatchObject({
        output: 'partial\n',
        metadata: { exit_code: 124, timeout: true },
      });
      expect(await stateful('exit 4')).toMatchObject({ metadata: { exit_code: 4 } });
      expect(await stateful('pwd; echo $A')).toMatchObject({ output: '/workspace/deep\n1\n' });
      expect(await client.tool('bash', { command: 'echo "[$A]"' })).toMatchObject({
        output: '[]\n',
      });
    });
  });

  describe('read_file and write_file', () => {
    it('write with folders, and read the same', async () => {
      const written = await client.tool('write_file', { path: 'a/ü b.txt', content: 'é\n' });
      expect(written).toMatchObject({ success: true, metadata: { path: 'a/ü b.txt', bytes: 3 } });
      for (const path of ['a/ü b.txt', '/workspace/a/ü b.txt', './a/../a/ü b.txt'])
        expect(await client.tool('read_file', { path })).toMatchObject({
          success: true,
          output: 'é\n',
        });
    });

    it('keep the first 100,000 characters of a file', async () => {
      await client.tool('write_file', { path: 'long', content: '€'.repeat(100_001) });
      const { output, metadata } = await client.tool('read_file', { path: 'long' });
      expect(output).toBe('€'.repeat(100_000));
      expect(metadata).toMatchObject({ truncated: true, bytes: 300_003 });
    });

    it('refuse what is not there, what is no file, and what lies outside', async () => {
      const command =
        "mkdir -p folder; ln -sf /etc/hostname out; ln -sfn /etc away; ln -sf round round; ln -sf /etc/hosts $'new\\nline\\n'";
      await client.tool('bash', { command });
      for (const [path, error] of [
        ['missing', /FILE_NOT_FOUND/],
        ['folder', /is no file/],
        ['/etc/passwd', /outside the workspace/],
        ['../etc/passwd', /outside the workspace/],
        ['out', /outside the workspace/],
        ['away/passwd', /outside the workspace/],
        ['away/not/there', /outside the workspace/],
        ['new\nline\n', /outside the workspace/],
        ['round', /is no file/],
        ['/workspace2', /outside the workspace/],
      ] as const) {
        const answer = await client.tool('read_file', { path });
        expect(answer, path).toMatchObject({ success: false, error: expect.stringMatching(error) });
      }
      for (const path of ['away/new', 'away/deep/new']) {
        const outside = await client.tool('write_file', { path, content: '' });
        expect(outside.error).toMatch(/outside the workspace/);
      }
      const named = { path: 'a\n', content: 'newline' };
      await client.tool('write_file', named);
      expect(await client.tool('read_file', named)).toMatchObject({ output: 'newline' });
      expect((await client.tool('bash', { command: "cat $'a\\n'" })).output).toBe('newline');
    });
  });

  describe('artifacts', () => {
    const read = (body: object) => client.post('/artifacts/read', { slot_id: 'slot_1', ...body });
    const list = (body: object) => client.post('/artifacts/list', { slot_id: 'slot_1', ...body });
    const pack = (body: object) =>
      client.post('/artifacts/archive', { slot_id: 'slot_1', ...body });

    beforeAll(async () => {
      const command =
        "mkdir -p d/e; printf 'text' > d/a.txt; printf '\\377\\0' > d/e/b.png; ln -s /etc out; head -c 6000000 /dev/urandom > big";
      await client.tool('bash', { command }, { slot_id: 'slot_1' });
    });

    it('are read as text or base64, whole or their start, with their digest', async () => {
      const digest = createHash('sha256').update('text').digest('hex');
      expect((await read({ path: 'd/a.txt', include_sha256: true })).body).toEqual({
        success: true,
        content: 'text',
        encoding: 'text',
        truncated: false,
        bytes: 4,
        file_size: 4,
        path: 'd/a.txt',
        mime: 'text/plain',
        sha256: digest,
      });
      expect((await read({ path: 'd/e/b.png', encoding: 'base64' })).body).toMatchObject({
        content: Buffer.from([255, 0]).toString('base64'),
        mime: 'image/png',
      });
      const start = (await read({ path: 'd/a.txt', max_bytes: 2 })).body;
      expect(start).toMatchObject({ content: 'te', truncated: true, bytes: 2, file_size: 4 });
      const big = (await read({ path: 'big', encoding: 'base64', max_bytes: 9_000_000 })).body;
      expect(big).toMatchObject({ truncated: true, bytes: 5_000_000, file_size: 6_000_000 });
    });

    it('are listed, one folder or all below it, up to a bound', async () => {
      const flat = (await list({})).body;
      expect(flat).toMatchObject({
        success: true,
        truncated: false,
        entries: [
          { path: 'big', is_dir: false, size: 6_000_000 },
          { path: 'd', is_dir: true },
          { path: 'out', is_dir: false },
        ],
      });
      const deep = (await list({ path: 'd', recursive: true })).body as {
        entries: { path: string }[];
      };
      expect(deep.entries.map(({ path }) => path)).toEqual(['d/a.txt', 'd/e', 'd/e/b.png']);
      const some = (await list({ recursive: true, max_entries: 2 })).body;
      expect(some).toMatchObject({ truncated: true, entries: [{ path: 'big' }, { path: 'd' }] });
    });

    it('are packed, and refused where they are too large', async () => {
      const { body } = await pack({ path: 'd', format: 'tgz' });
      expect(body).toMatchObject({
        success: true,
        encoding: 'base64',
        format: 'tgz',
        entry_count: 4,
      });
      const content = String(body.content);
      expect(body.bytes).toBe(Buffer.from(content, 'base64').length);
      const there = { slot_id: 'slot_2' };
      await client.tool('write_file', { path: 'packed', content }, there);
      const command = 'base64 -d packed | tar -tzf - | sort';
      const { output } = await client.tool('bash', { command }, there);
      expect(output).toBe('./d/\n./d/a.txt\n./d/e/\n./d/e/b.png\n');
      expect((await pack({})).status).toBe(413);
      expect((await pack({ path: 'd', max_entries: 3 })).status).toBe(413);
      expect((await pack({ path: 'd', max_bytes: 20 })).status).toBe(413);
    });

    it('that are a sparse file of a terabyte are refused before they are read', async () => {
      await client.tool('bash', { command: 'truncate -s 1T sparse' }, { slot_id: 'slot_2' });
      const reply = await client.post('/artifacts/archive', { slot_id: 'slot_2', path: 'sparse' });
      expect(reply.status).toBe(413);
    });

    it('have a status for each way to be wrong', async () => {
      for (const [ask, body, status] of [
        [read, { path: 'nowhere' }, 404],
        [read, { path: 'd' }, 400],
        [read, { path: '../x' }, 403],
        [read, { path: 'out/passwd' }, 403],
        [read, { path: 7 }, 400],
        [read, { path: 'd/a.txt', encoding: 'hex' }, 400],
        [list, { path: 'nowhere' }, 404],
        [list, { path: 'big' }, 400],
        [list, { path: '/etc' }, 403],
        [pack, { path: 'nowhere' }, 404],
        [pack, { path: 'out' }, 403],
        [pack, { format: 'zip' }, 400],
      ] as const)
        expect((await ask(body)).status, JSON.stringify(body)).toBe(status);
    });
  });

  it('a reset ends every process of the slot and leaves nothing of its files', async () => {
    const mark = randomUUID();
    const slot = { slot_id: 'slot_3' };
    const command = `echo x > /workspace/x; echo x > /tmp/x; (setsid sh -c 'sleep 300; : ${mark}' >/dev/null 2>&1 &)`;
    await client.tool('bash_stateful', { command }, slot);
    await client.tool('tmux', { action: 'start' }, slot);
    expect(processesWith(mark)).toBeGreaterThan(0);
    expect((await client.post('/reset', slot)).body).toMatchObject({ success: true });
    expect(processesWith(mark)).toBe(0);
    const { output } = await client.tool('bash', { command: 'ls /workspace /tmp' }, slot);
    expect(output).toBe('/tmp:\n\n/workspace:\n');
    expect(await client.tool('tmux', { action: 'capture' }, slot)).toMatchObject({
      success: false,
    });
  });

  describe('the network', () => {
    const interfaces = (allowNetwork: boolean, slot: string) =>
      client.tool(
        'bash',
        { command: 'tail -n +3 /proc/net/dev | wc -l', allow_network: allowNetwork },
        { slot_id: slot },
      );

    it('is as each command wants it, and files that were written before come along', async () => {
      const slot = { slot_id: 'slot_2' };
      await client.post('/reset', slot);
      await client.tool('write_file', { path: 'before/it', content: 'here' }, slot);
      const without = await interfaces(false, 'slot_2');
      expect(without).toMatchObject({ output: '1\n', metadata: { network_isolated: true } });
      expect(await client.tool('read_file', { path: 'before/it' }, slot)).toMatchObject({
        output: 'here',
      });
      // stricter than asked is told, not refused
      expect(await interfaces(true, 'slot_2')).toMatchObject({
        metadata: { network_isolated: true },
      });
    });

    it('is not taken away from what already had it: such a command is refused', async () => {
      const slot = { slot_id: 'slot_2' };
      await client.post('/reset', slot);
      expect(await interfaces(true, 'slot_2')).toMatchObject({
        metadata: { network_isolated: false },
      });
      const refused = await interfaces(false, 'slot_2');
      expect(refused).toMatchObject({
        success: false,
        output: '',
        error: expect.stringMatching(/allow_network=false cannot be kept.*reset it first/),
      });
    });
  });
});

describe('over plain processes', () => {
  it('refuses to start unless that is asked for', async () => {
    const provider = await openLocal('none');
    await expect(startServer(provider)).rejects.toMatchObject({ code: 'CONFIG' });
    await expect(startServer(provider)).rejects.toThrow(
      /isolates nothing here.*--insecure-no-sandbox/,
    );
    await provider.close();
  });

  it('says so of each command, and refuses those that demand more', async () => {
    const provider = await openLocal('none');
    const { server, client } = await startServer(provider, { insecureNoSandbox: true });
    expect((await client.get('/health')).body).toMatchObject({ bwrap_available: false });
    const plain = await client.tool('bash', { command: 'echo $((6 * 7))' });
    expect(plain).toMatchObject({
      success: true,
      output: '42\n',
      metadata: { sandboxed: false, sandbox_fallback: true, network_isolated: false },
    });
    for (const [tool, demand] of [
      ['bash', { require_sandbox: true }],
      ['bash', { allow_network: false }],
      ['bash_stateful', { require_stateful_sandbox: true }],
      ['tmux', { action: 'start', require_sandbox: true }],
    ] as const) {
      const answer = await client.tool(tool, { command: 'touch ran', ...demand });
      expect(answer).toMatchObject({ success: false, metadata: { requires_bwrap: true } });
    }
    expect(await client.tool('bash', { command: 'ls' })).toMatchObject({ output: '' });
    // the workspace is known by one name in every mode
    await client.tool('write_file', { path: '/workspace/a', content: 'here' });
    expect(await client.tool('bash', { command: 'cat a' })).toMatchObject({ output: 'here' });
    await server.close();
    await provider.close();
  });
});
