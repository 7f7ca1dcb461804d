import { type FakeClock, fakeClock } from '@hermes/protocol/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FRAME } from '../src/core/frames.ts';
import {
  createProviderFromDriver,
  type ExecRequest,
  type Sandbox,
  SandboxError,
  type SandboxSpec,
} from '../src/index.ts';
import { folderDriver } from './_hooked-driver.ts';
import { type ScriptedSupervisor, scriptedSupervisor } from './_scripted-supervisor.ts';

let clock: FakeClock;
let supervisor: ScriptedSupervisor;
let sandbox: Sandbox;
let destroyed = 0;
let refuseChannels = false;

async function create(spec: Partial<SandboxSpec> = {}): Promise<Sandbox> {
  const base = folderDriver('/nowhere');
  const openChannel = async () => {
    if (refuseChannels) throw new Error('no route');
    return supervisor.channel;
  };
  const driver = {
    ...base,
    create: async (asked: SandboxSpec) => {
      const ref = { provider: 'test', id: 'box', name: null, labels: asked.labels };
      const { info } = await base.attach(ref);
      const gone = new AbortController().signal;
      return { ref, info, gone, supervisorPath: '/supervisor', openChannel };
    },
    destroy: async () => {
      destroyed += 1;
    },
  };
  const provider = createProviderFromDriver(driver, { clock });
  return provider.create({ lifetimeMs: 3_600_000, labels: {}, idempotencyKey: 'box', ...spec });
}

const command: ExecRequest = { command: { argv: ['work'] }, timeoutMs: 5000 };

/** Waits for a frame of the core's, which comes without any time passing. */
async function frame(type: number): Promise<{ id: number; value: unknown }> {
  for (;;) {
    const found = supervisor.received.find((one) => one.type === type);
    if (found !== undefined)
      return { id: found.id, value: JSON.parse(found.payload.toString() || 'null') };
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    (value) => value,
    (thrown: unknown) => thrown,
  );
  return SandboxError.isInstance(error) ? error.code : `no error: ${JSON.stringify(error)}`;
}

async function begin(request: ExecRequest): Promise<ReturnType<Sandbox['exec']>[]> {
  const running = sandbox.exec(request);
  running.catch(() => undefined);
  const { id } = await frame(FRAME.start);
  supervisor.send(FRAME.started, id, { pid: 7, startedAt: 1, queuedMs: 0, duplicate: false });
  await new Promise((resolve) => setImmediate(resolve));
  return [running];
}

beforeEach(async () => {
  clock = fakeClock();
  supervisor = scriptedSupervisor();
  destroyed = 0;
  refuseChannels = false;
});

afterEach(async () => {
  await sandbox.dispose();
});

describe('a supervisor that hangs', () => {
  it('does not hang a command beyond its timeout, the grace and a margin', async () => {
    sandbox = await create();
    const [running] = await begin(command);
    await clock.advance(30_000);
    expect(await running).toMatchObject({ status: 'timeout', leftover: { pipesOpen: true } });
  });

  it('does not hang a cancelled command', async () => {
    sandbox = await create();
    const controller = new AbortController();
    const [running] = await begin({
      ...command,
      timeoutMs: Number.POSITIVE_INFINITY,
      signal: controller.signal,
    });
    controller.abort();
    expect((await frame(FRAME.signal)).value).toMatchObject({ reason: 'cancel', tree: true });
    await clock.advance(30_000);
    expect(await running).toMatchObject({ status: 'cancelled' });
  });

  it('that never starts a command is an unhealthy sandbox', async () => {
    sandbox = await create();
    const running = codeOf(sandbox.exec(command));
    await frame(FRAME.start);
    await clock.advance(70_000);
    expect(await running).toBe('SANDBOX_UNHEALTHY');
  });

  it('is pinged when idle, and kept while it answers', async () => {
    sandbox = await create();
    await clock.advance(60_000);
    expect(supervisor.received.filter(({ type }) => type === FRAME.ping).length).toBeGreaterThan(5);
    expect(sandbox.gone.aborted).toBe(false);
  });

  it('that is silent for 15 s, and cannot be reached for 30 s more, is SANDBOX_GONE', async () => {
    sandbox = await create();
    const [running] = await begin({ ...command, timeoutMs: 600_000 });
    supervisor.fallSilent();
    refuseChannels = true;
    await clock.advance(17_000);
    expect(sandbox.gone.aborted).toBe(false);
    await clock.advance(35_000);
    expect(sandbox.gone.aborted).toBe(true);
    expect(await codeOf(running ?? Promise.resolve())).toBe('SANDBOX_GONE');
  });
});

describe('a sandbox', () => {
  it('ends with its lifetime, and its running commands with it', async () => {
    sandbox = await create({ lifetimeMs: 10_000 });
    const [running] = await begin({ ...command, timeoutMs: Number.POSITIVE_INFINITY });
    await clock.advance(10_001);
    expect(await codeOf(running ?? Promise.resolve())).toBe('SANDBOX_GONE');
    expect(await sandbox.dispose()).toMatchObject({ exitReason: 'lifetime' });
    expect(destroyed).toBe(1);
  });

  it('ends when nobody used it for idleMs, but not while a command runs', async () => {
    sandbox = await create({ idleMs: 20_000 });
    const [running] = await begin({ ...command, timeoutMs: 600_000 });
    await clock.advance(60_000);
    expect(sandbox.gone.aborted).toBe(false);
    supervisor.send(FRAME.exit, (await frame(FRAME.start)).id, { status: 'exited', code: 0 });
    await running;
    await clock.advance(41_000);
    expect(await sandbox.dispose()).toMatchObject({ exitReason: 'idle' });
  });
});
