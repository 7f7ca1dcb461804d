import {
  createMemorySandboxProvider,
  type MemoryCall,
  type Sandbox,
  SandboxError,
  type SandboxProvider,
} from '@hermes/sandbox';
import { describe, expect, it } from 'vitest';
import { startServer, TOKEN } from './_server.ts';

/** Commands that the test lets go on one by one. */
function gate() {
  const waiting: (() => void)[] = [];
  const started: string[] = [];
  let onStart = () => {};
  return {
    started,
    command: ({ command, signal }: MemoryCall) =>
      new Promise<{ exitCode: number; stdout: string }>((resolve) => {
        const word = 'script' in command ? command.script : command.argv.join(' ');
        started.push(word);
        const end = () => resolve({ exitCode: 0, stdout: word });
        waiting.push(end);
        signal.addEventListener('abort', end, { once: true });
        onStart();
      }),
    /** Resolves when so many commands have started. */
    async until(count: number) {
      while (started.length < count)
        await new Promise<void>((resolve) => {
          onStart = resolve;
        });
    },
    openAll() {
      for (const open of waiting.splice(0)) open();
    },
  };
}

function bash(slot: number, command: string, more: object = {}) {
  return { slot_id: `slot_${slot}`, tool: 'bash', args: { command }, ...more };
}

/** The same provider with changed sandboxes, and what was asked of it. */
function changed(inner: SandboxProvider, change: (sandbox: Sandbox) => Sandbox) {
  const created: Sandbox[] = [];
  const provider: SandboxProvider = {
    ...inner,
    create: async (spec, options) => {
      const sandbox = await inner.create(spec, options);
      created.push(sandbox);
      return change(sandbox);
    },
  };
  return { provider, created };
}

const echo = createMemorySandboxProvider({
  commands: {
    echo: ({ command }) => ({ exitCode: 0, stdout: 'script' in command ? command.script : '' }),
  },
});

describe('a slot', () => {
  it('has no sandbox until it is used, and a new one after a reset', async () => {
    const { provider, created } = changed(echo, (sandbox) => sandbox);
    const { client } = await startServer(provider);
    await client.get('/slots');
    await client.post('/reset', { slot_id: 'slot_0' });
    expect(created).toHaveLength(0);
    await client.tool('write_file', { path: 'left', content: 'x' });
    await client.post('/execute', bash(0, 'echo'));
    expect(created).toHaveLength(1);
    expect(await client.post('/reset', { slot_id: 'slot_0' })).toMatchObject({
      status: 200,
      body: { success: true },
    });
    expect(created[0]?.gone.aborted).toBe(true);
    expect(await client.tool('read_file', { path: 'left' })).toMatchObject({ success: false });
    expect(created).toHaveLength(2);
  });

  it('works on one thing at a time, and slots beside each other', async () => {
    const doors = gate();
    const provider = createMemorySandboxProvider({ commands: { wait: doors.command } });
    const { client } = await startServer(provider);
    const requests = [bash(0, 'wait a'), bash(1, 'wait b'), bash(0, 'wait c')];
    const batch = client.post('/batch', requests);
    await doors.until(2);
    expect(doors.started.toSorted()).toEqual(['wait a', 'wait b']);
    expect((await client.get('/health')).body).toMatchObject({
      slots: 3,
      available: 1,
      executing: 2,
    });
    doors.openAll();
    await doors.until(3);
    doors.openAll();
    const { body } = await batch;
    expect(body).toMatchObject([{ output: 'wait a' }, { output: 'wait b' }, { output: 'wait c' }]);
  });

  it('shows what it executes', async () => {
    const doors = gate();
    const provider = createMemorySandboxProvider({ commands: { wait: doors.command } });
    const { client } = await startServer(provider);
    const running = client.post('/execute', bash(1, 'wait', { execution_id: 'mine' }));
    await doors.until(1);
    const { slots } = (await client.get('/slots')).body as { slots: object[] };
    expect(slots).toMatchObject([
      { slot_id: 'slot_0', state: 'available', current_execution_id: null },
      { slot_id: 'slot_1', state: 'executing', current_execution_id: 'mine' },
      { slot_id: 'slot_2', state: 'available' },
    ]);
    doors.openAll();
    await running;
  });

  it('gives a repeated execution id the first answer, also while it still runs', async () => {
    const doors = gate();
    const provider = createMemorySandboxProvider({ commands: { wait: doors.command } });
    const { client } = await startServer(provider);
    const request = bash(0, 'wait', { execution_id: 'once' });
    const first = client.post('/execute', request);
    await doors.until(1);
    const second = client.post('/execute', request);
    doors.openAll();
    const answers = [await first, await second, await client.post('/execute', request)];
    for (const { body } of answers)
      expect(body).toMatchObject({ success: true, output: 'wait', execution_id: 'once' });
    expect(doors.started).toHaveLength(1);
    const elsewhere = client.post('/execute', { ...request, slot_id: 'slot_1' });
    await doors.until(2);
    doors.openAll();
    await elsewhere;
    expect(doors.started).toHaveLength(2);
  });

  it('goes on for a client that hung up, which may ask again', async () => {
    const doors = gate();
    const provider = createMemorySandboxProvider({ commands: { wait: doors.command } });
    const { server, client } = await startServer(provider);
    const request = bash(0, 'wait', { execution_id: 'cut' });
    const hangUp = new AbortController();
    const cut = fetch(`${server.url}/execute`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}` },
      body: JSON.stringify(request),
      signal: hangUp.signal,
    });
    await doors.until(1);
    hangUp.abort();
    await expect(cut).rejects.toThrow();
    const again = client.post('/execute', request);
    doors.openAll();
    expect((await again).body).toMatchObject({ success: true, output: 'wait' });
    expect(doors.started).toHaveLength(1);
  });

  it('ends what runs and what waits when it is reset', async () => {
    const doors = gate();
    const provider = createMemorySandboxProvider({ commands: { wait: doors.command } });
    const { client } = await startServer(provider);
    const running = client.post('/execute', bash(0, 'wait a'));
    const waiting = client.post('/execute', bash(0, 'wait b'));
    await doors.until(1);
    expect((await client.post('/reset', { slot_id: 'slot_0' })).status).toBe(200);
    expect((await running).body).toMatchObject({ success: false });
    expect((await waiting).body).toMatchObject({ success: false, error: 'slot_0 was reset' });
    expect(doors.started).toEqual(['wait a']);
  });

  it('whose sandbox was lost is not given another one in silence', async () => {
    const { provider, created } = changed(echo, (sandbox) => sandbox);
    const { client } = await startServer(provider);
    await client.post('/execute', bash(0, 'echo'));
    await created[0]?.dispose('lost');
    const { body } = await client.post('/execute', bash(0, 'echo'));
    expect(body).toMatchObject({
      success: false,
      error: expect.stringMatching(/slot_0: .*reset it/),
    });
    expect((await client.get('/slots')).body.slots).toMatchObject([{ state: 'error' }, {}, {}]);
    await client.post('/reset', { slot_id: 'slot_0' });
    expect((await client.post('/execute', bash(0, 'echo'))).body).toMatchObject({ success: true });
  });

  it('that could not be cleaned is out of service until a reset succeeds', async () => {
    let isStuck = true;
    const { provider } = changed(echo, (sandbox) => ({
      ...sandbox,
      dispose: async (reason) => {
        if (isStuck) throw new SandboxError('TRANSPORT', 'sandbox', 'cable cut');
        return sandbox.dispose(reason);
      },
    }));
    const { client } = await startServer(provider);
    await client.post('/execute', bash(0, 'echo'));
    const failed = await client.post('/reset', { slot_id: 'slot_0' });
    expect(failed.status).toBe(500);
    expect(failed.body.error).toContain('could not be removed (cable cut)');
    expect((await client.post('/execute', bash(0, 'echo'))).body).toMatchObject({ success: false });
    expect((await client.get('/health')).body).toMatchObject({ available: 2 });
    isStuck = false;
    expect((await client.post('/reset', { slot_id: 'slot_0' })).status).toBe(200);
    expect((await client.post('/execute', bash(0, 'echo'))).body).toMatchObject({ success: true });
  });
});

it('answers 500 where no sandbox can be had, and a batch goes on', async () => {
  let calls = 0;
  const provider: SandboxProvider = {
    ...echo,
    create: (spec, options) => {
      calls += 1;
      if (calls <= 2) throw new SandboxError('CAPACITY', 'provider', 'no room');
      return echo.create(spec, options);
    },
  };
  const { client } = await startServer(provider);
  const single = await client.post('/execute', bash(0, 'echo', { execution_id: 'e' }));
  expect(single).toMatchObject({ status: 500, body: { success: false, error: 'no room' } });
  const { status, body } = await client.post('/batch', [
    bash(0, 'echo'),
    bash(1, 'echo'),
    bash(9, 'echo'),
  ]);
  expect(status).toBe(200);
  expect(body).toMatchObject([
    { success: false, error: 'no room' },
    { success: true },
    { success: false, error: expect.stringContaining('slot_9') },
  ]);
  // what failed on the way was no answer: the id may be tried again
  expect((await client.post('/execute', bash(0, 'echo', { execution_id: 'e' }))).status).toBe(200);
});

it('leaves no sandbox behind when it closes, also with a command under way', async () => {
  const doors = gate();
  const provider = createMemorySandboxProvider({ commands: { wait: doors.command } });
  const { server, client } = await startServer(provider);
  const running = client.post('/execute', bash(0, 'wait'));
  await doors.until(1);
  await server.close();
  expect((await running).body).toMatchObject({ success: false });
  const left = [];
  for await (const ref of provider.list()) left.push(ref);
  expect(left).toEqual([]);
});
