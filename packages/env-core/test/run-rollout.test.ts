import type { OpenToolset, Toolset } from '@hermes/protocol';
import { HermesError, ModelError } from '@hermes/protocol';
import { fakeClock, scriptedModel, testEffects } from '@hermes/protocol/testing';
import type { MemoryCall, Sandbox, SandboxProvider } from '@hermes/sandbox';
import { createMemorySandboxProvider, SandboxError } from '@hermes/sandbox';
import type { ToolResources } from '@hermes/tools';
import { terminalToolset } from '@hermes/tools';
import { expect, it } from 'vitest';
import { type Environment, openOracle, runRollout } from '../src/index.ts';
import {
  collecting,
  deferred,
  optionsOf,
  plainEnvironment,
  quickEffects,
  trialOf,
} from './_support/harness.ts';

const answers = () => scriptedModel('Done.');

async function countOf(sandboxes: SandboxProvider): Promise<number> {
  let count = 0;
  for await (const _ref of sandboxes.list()) count += 1;
  return count;
}

/** The same provider with another sandbox around each of its own. */
function wrapped(inner: SandboxProvider, wrap: (sandbox: Sandbox) => Sandbox): SandboxProvider {
  return { ...inner, create: async (spec, options) => wrap(await inner.create(spec, options)) };
}

it('goes through its phases in order, with the times of each', async () => {
  const { events, sink } = collecting();
  const environment = plainEnvironment({ sandbox: () => ({}) });
  const sandboxes = createMemorySandboxProvider();
  const record = await runRollout(
    optionsOf({ open: answers, environment, sandboxes, sinks: [sink] }),
    trialOf(),
  );
  const phases = events.flatMap((event) => (event.type === 'phase_start' ? [event.phase] : []));
  expect(phases).toEqual(['queue', 'sandbox', 'setup', 'agent', 'verify', 'dispose']);
  expect(events.map((event) => event.seq)).toEqual(events.map((_event, index) => index));
  expect([events[0]?.type, events.at(-1)?.type]).toEqual(['rollout_start', 'rollout_end']);
  expect(record).toMatchObject({
    status: 'completed',
    sandboxes: [{ role: 'agent', exitReason: 'destroyed' }],
    versions: { dataset: 'r1', node: process.version },
  });
});

it.each<[string, Partial<Environment<number>>, () => ReturnType<typeof answers>]>([
  ['it is scored', {}, answers],
  ['setup fails', { setupWorkspace: () => Promise.reject(new Error('x')) }, answers],
  ['the model fails', {}, () => scriptedModel(new ModelError('AUTH', 'x'))],
  ['the verifier throws', { computeReward: () => Promise.reject(new Error('x')) }, answers],
])('leaves no sandbox behind when %s', async (_name, changes, open) => {
  const sandboxes = createMemorySandboxProvider();
  const environment = plainEnvironment({ sandbox: () => ({}), ...changes });
  await runRollout(optionsOf({ open, environment, sandboxes }), trialOf());
  expect(await countOf(sandboxes)).toBe(0);
});

it('closes model and tools, also when the environment throws', async () => {
  const closed: string[] = [];
  const toolset: Toolset<ToolResources> = {
    name: 'fake',
    toolNames: [],
    open: async (): Promise<OpenToolset> => ({
      tools: [],
      close: async () => void closed.push('tools'),
    }),
  };
  const model = scriptedModel('Done.');
  const environment = plainEnvironment({
    toolsets: [toolset],
    computeReward: () => Promise.reject(new Error('x')),
  });
  const record = await runRollout(optionsOf({ open: () => model, environment }), trialOf());
  expect([closed, model.closed, record.toolsets]).toEqual([['tools'], true, ['fake']]);
});

it('scores although the clean-up hangs, and says what was not cleaned', async () => {
  const clock = fakeClock();
  const asked = deferred<void>();
  const dispose = () => {
    asked.resolve();
    return new Promise<never>(() => undefined);
  };
  const sandboxes = wrapped(createMemorySandboxProvider(), (sandbox) => ({ ...sandbox, dispose }));
  const environment = plainEnvironment({ sandbox: () => ({}) });
  const effects = { ...testEffects(), clock };
  const running = runRollout(
    optionsOf({ open: answers, environment, sandboxes, effects }),
    trialOf(),
  );
  await asked.promise;
  await clock.advance(30_000);
  expect(await running).toMatchObject({
    status: 'completed',
    sandboxes: [{ exitReason: null, gaps: [{ code: 'dispose_failed' }] }],
  });
});

it('says out of memory where that killed the sandbox', async () => {
  const inner = createMemorySandboxProvider();
  const sandboxes = wrapped(inner, (sandbox) => ({
    ...sandbox,
    dispose: async () => ({ ...(await sandbox.dispose()), exitReason: 'oom' }),
  }));
  const environment = plainEnvironment({
    sandbox: () => ({}),
    setupWorkspace: () => Promise.reject(new SandboxError('SANDBOX_GONE', 'sandbox', 'gone')),
  });
  const options = optionsOf({ open: answers, environment, sandboxes, retry: { maxTries: 1 } });
  expect(await runRollout(options, trialOf())).toMatchObject({ errored: { cause: 'sandbox_oom' } });
});

it('makes an infrastructure failure again, and keeps the full record of every try', async () => {
  const { tried, sink } = collecting();
  let opened = 0;
  const open = () => {
    opened += 1;
    return scriptedModel(opened < 3 ? new ModelError('SERVER', 'busy') : 'Done.');
  };
  const options = optionsOf({ open, sinks: [sink], effects: quickEffects() });
  const record = await runRollout(options, trialOf());
  expect(record).toMatchObject({ status: 'completed', tries: [{}, {}] });
  expect(tried.map((one) => one.rolloutId)).toEqual(record.tries.map((one) => one.rolloutId));
  expect(new Set([record.rolloutId, ...tried.map((one) => one.rolloutId)]).size).toBe(3);
  expect(tried[1]).toMatchObject({ agent: { stopReason: 'server_error' }, tries: [{}] });
});

it('stops after three tries', async () => {
  const open = () => scriptedModel(new ModelError('SERVER', 'busy'));
  const record = await runRollout(optionsOf({ open, effects: quickEffects() }), trialOf());
  expect(record).toMatchObject({ status: 'errored', tries: [{}, {}] });
});

it.each([new ModelError('AUTH', 'x'), new ModelError('BAD_REQUEST', 'x')])(
  'does not make again what cannot change: $code',
  async (error) => {
    const record = await runRollout(optionsOf({ open: () => scriptedModel(error) }), trialOf());
    expect(record.tries).toEqual([]);
  },
);

it('makes a verifier failure again when it says that it is retryable', async () => {
  let asked = 0;
  const computeReward = async () => {
    asked += 1;
    if (asked > 1) return 1;
    throw new HermesError('verifier', 'VERIFIER_SETUP', 'mirror down', { retryable: true });
  };
  const environment = plainEnvironment({ computeReward });
  const options = optionsOf({ open: answers, environment, effects: quickEffects() });
  expect(await runRollout(options, trialOf())).toMatchObject({ status: 'completed', tries: [{}] });
});

it('waits as long as the server asked, else longer from try to try', async () => {
  const delays: number[] = [];
  const sinks = [
    { run: (event: { type: string; delayMs?: number }) => void delays.push(event.delayMs ?? -1) },
  ];
  const details = { retryAfterMs: 7_000 };
  const asked = () => scriptedModel(new ModelError('RATE_LIMIT', 'x', { details }));
  await runRollout(optionsOf({ open: asked, sinks, effects: quickEffects() }), trialOf());
  expect(delays).toEqual([7_000, 7_000]);
  const silent = () => scriptedModel(new ModelError('RATE_LIMIT', 'x'));
  await runRollout(optionsOf({ open: silent, sinks, effects: quickEffects() }), trialOf());
  expect(delays[2]).toBeGreaterThanOrEqual(500);
  expect(delays[2]).toBeLessThanOrEqual(1_000);
  expect(delays[3]).toBeGreaterThanOrEqual(1_000);
  expect(delays[3]).toBeLessThanOrEqual(2_000);
});

it('gives the verifier a sandbox of its own where the environment asks for one', async () => {
  const seen: (string | undefined)[] = [];
  const environment = plainEnvironment({
    sandbox: () => ({}),
    verifierSandbox: () => ({}),
    setupWorkspace: async (_item, tools) => void seen.push(tools.sandbox?.ref.id),
    computeReward: async (_item, _result, tools) => {
      seen.push(tools.sandbox?.ref.id);
      return 1;
    },
  });
  const sandboxes = createMemorySandboxProvider();
  const record = await runRollout(optionsOf({ open: answers, environment, sandboxes }), trialOf());
  expect(seen[0]).not.toBe(seen[1]);
  expect(record.sandboxes.map((report) => report.role).sort()).toEqual(['agent', 'verifier']);
  expect(await countOf(sandboxes)).toBe(0);
});

it.each([
  [false, 'ends the agent’s sandbox before the verdict'],
  [true, 'lets the agent’s sandbox live until the verdict where that is asked for'],
])('hands over to the verifier’s sandbox, agentGoesOn %s: %s', async (agentGoesOn) => {
  const sandboxes = createMemorySandboxProvider();
  const { events, sink } = collecting();
  let agentWasGone: boolean | undefined;
  let agentSandbox: Sandbox | null = null;
  const environment = plainEnvironment({
    sandbox: () => ({}),
    verifierSandbox: () => ({}),
    setupWorkspace: async (_item, tools) => void (await tools.write('answer', 'hello')),
    handOver: async (_item, agent, verifier) => {
      agentSandbox = agent.sandbox;
      const answer = await agent.readBytes('answer');
      if (answer.ok) await verifier.write('answer', answer.value);
      return { agentGoesOn };
    },
    computeReward: async (_item, _result, tools) => {
      agentWasGone = agentSandbox?.gone.aborted;
      return (await tools.readText('answer')).ok ? 1 : 0;
    },
  });
  const record = await runRollout(
    optionsOf({ open: answers, environment, sandboxes, sinks: [sink] }),
    trialOf(),
  );
  expect(record).toMatchObject({ status: 'completed', reward: { reward: 1 } });
  expect(agentWasGone).toBe(!agentGoesOn);
  expect(record.sandboxes.map((report) => report.role).sort()).toEqual(['agent', 'verifier']);
  expect(events.filter(({ type }) => type === 'sandbox_end').length).toBe(2);
  expect(await countOf(sandboxes)).toBe(0);
});

it('blames the verifier when nothing can be handed over', async () => {
  const environment = plainEnvironment({
    sandbox: () => ({}),
    verifierSandbox: () => ({}),
    handOver: async () => {
      throw new HermesError('verifier', 'VERIFIER_DOWNLOAD', 'the disk is full');
    },
  });
  const sandboxes = createMemorySandboxProvider();
  const record = await runRollout(optionsOf({ open: answers, environment, sandboxes }), trialOf());
  expect(record).toMatchObject({ errored: { reason: 'verifier', cause: 'verifier_download' } });
  expect(await countOf(sandboxes)).toBe(0);
});

it('does not bind the commands of a solution by the limits of a model', async () => {
  const timeouts: number[] = [];
  const inner = createMemorySandboxProvider({ commands: { work: () => ({ exitCode: 0 }) } });
  const sandboxes = wrapped(inner, (sandbox) => ({
    ...sandbox,
    exec: (request) => {
      timeouts.push(request.timeoutMs);
      return sandbox.exec(request);
    },
  }));
  const call = { name: 'terminal', arguments: { command: 'work', timeout: 7_200 } };
  const environment = plainEnvironment({
    toolsets: [terminalToolset()],
    sandbox: () => ({}),
    solution: async () => ({ turns: [...Array(40).fill({ content: '', calls: [call] })] }),
  });
  const record = await runRollout(
    optionsOf({ open: openOracle, environment, sandboxes }),
    trialOf(),
  );
  expect(record.agent).toMatchObject({ stopReason: 'natural', turnsUsed: 41 });
  expect(timeouts).toEqual(Array(40).fill(7_200_000));
});

it("lets a verifier call any of the rollout's tools", async () => {
  const commands = { work: () => ({ exitCode: 0, stdout: 'hello' }) };
  const results: unknown[] = [];
  const environment = plainEnvironment({
    toolsets: [terminalToolset()],
    sandbox: () => ({}),
    computeReward: async (_item, _result, tools) => {
      results.push(await tools.callTool('terminal', { command: 'work' }));
      results.push(await tools.callTool('browser', {}));
      return 1;
    },
  });
  const sandboxes = createMemorySandboxProvider({ commands });
  await runRollout(optionsOf({ open: answers, environment, sandboxes }), trialOf());
  expect(results).toMatchObject([
    { status: 'completed', content: expect.stringContaining('hello') },
    { status: 'failed', content: expect.stringContaining('process, terminal') },
  ]);
});

it('puts the configured system prompt before the task', async () => {
  const model = scriptedModel('Done.');
  const prompt = () => [
    { role: 'system', content: 'Of the environment.' } as const,
    { role: 'user', content: 'Do it.' } as const,
  ];
  const environment = plainEnvironment({ prompt });
  const options = optionsOf({ open: () => model, environment, systemPrompt: 'Be brief.' });
  await runRollout(options, trialOf());
  expect(model.calls[0]?.request.messages).toEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Do it.' },
  ]);
});

it('collects the marks of run, environment, sandbox and verdict', async () => {
  const environment = plainEnvironment({
    marks: ['timeout_override'],
    sandbox: () => ({ marks: ['image_not_used'] }),
    computeReward: async () => ({
      kind: 'reward',
      reward: 0.5,
      rewards: { a: 0, b: 1 },
      resolved: false,
      marks: ['reward_mean'],
    }),
  });
  const sandboxes = createMemorySandboxProvider();
  const options = optionsOf({ open: answers, environment, sandboxes, marks: ['mine'] });
  const record = await runRollout(options, trialOf());
  expect(record).toMatchObject({
    marks: ['image_not_used', 'mine', 'reward_mean', 'timeout_override'],
    reward: { reward: 0.5, rewards: { a: 0, b: 1 }, resolved: false },
  });
  expect(record).not.toHaveProperty('reward.marks');
});

it('goes on when a display throws', async () => {
  const { events, sink } = collecting();
  const broken = {
    event: () => {
      throw new Error('broken pipe');
    },
  };
  const record = await runRollout(optionsOf({ open: answers, sinks: [broken, sink] }), trialOf());
  expect(record.status).toBe('completed');
  expect(events.at(-1)?.type).toBe('rollout_end');
});

/** A shell that has every command but these. */
function shellWithout(...missing: readonly string[]): SandboxProvider {
  const commands = {
    sh: ({ command }: MemoryCall) => {
      const asked = 'argv' in command ? command.argv.slice(4) : [];
      const stdout = asked.filter((name) => missing.includes(name)).join('\n');
      return { exitCode: 0, stdout: `${stdout}\n` };
    },
  };
  return wrapped(createMemorySandboxProvider({ commands }), (sandbox) => ({
    ...sandbox,
    capabilities: { ...sandbox.capabilities, shell: true },
  }));
}

it('names the commands that the sandbox lacks, before a token is spent', async () => {
  const model = scriptedModel('Done.');
  const environment = plainEnvironment({ sandbox: () => ({ commands: ['bash', 'uvx', 'gdb'] }) });
  const run = (sandboxes: SandboxProvider) =>
    runRollout(optionsOf({ open: () => model, environment, sandboxes }), trialOf());
  expect(await run(shellWithout('uvx', 'gdb'))).toMatchObject({
    errored: {
      cause: 'command_missing',
      error: { message: expect.stringContaining('uvx, gdb'), details: { missing: ['uvx', 'gdb'] } },
    },
    agent: null,
    costUsd: 0,
  });
  expect(model.calls).toEqual([]);
  expect(await run(shellWithout())).toMatchObject({ status: 'completed' });
});

it('gives a sandbox limits, variables and mounts of the run where the item has none of its own', async () => {
  const memory = createMemorySandboxProvider();
  const asked: unknown[] = [];
  const sandboxes: SandboxProvider = {
    ...memory,
    create: ({ resources, env, mounts, ...spec }, options) => {
      asked.push(resources, env, mounts);
      return memory.create(spec, options);
    },
  };
  const needs = { resources: { cpus: 2, pids: 64 }, env: { A: 'own' } };
  const environment = plainEnvironment({ sandbox: () => needs });
  const mounts = [{ source: '/data', target: '/data', readOnly: true }];
  const sandboxDefaults = {
    resources: { cpus: 1, memoryBytes: 2048 },
    env: { A: 'run', B: 'run' },
    mounts,
  };
  const options = optionsOf({ open: answers, environment, sandboxes, sandboxDefaults });
  await runRollout(options, trialOf());
  expect(asked).toEqual([{ cpus: 2, pids: 64, memoryBytes: 2048 }, { A: 'own', B: 'run' }, mounts]);
});
