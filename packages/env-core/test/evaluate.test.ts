import { HermesError } from '@hermes/protocol';
import { scriptedModel } from '@hermes/protocol/testing';
import { createMemorySandboxProvider } from '@hermes/sandbox';
import { expect, it } from 'vitest';
import type { EvaluateOptions, RunEvent } from '../src/index.ts';
import { evaluate } from '../src/index.ts';
import { collecting, optionsOf, plainEnvironment } from './_support/harness.ts';

const answers = () => scriptedModel('Done.');

function letters(changes: Parameters<typeof plainEnvironment>[0] = {}) {
  return plainEnvironment({
    async *items() {
      for (const [index, id] of ['apple', 'avocado', 'banana', 'cherry/1', 'cherry/2'].entries())
        yield { id, data: index, tags: { size: index % 2 === 0 ? 'small' : 'large' } };
    },
    ...changes,
  });
}

async function idsOf(filter: EvaluateOptions<number>['filter'], seed = 0): Promise<string[]> {
  const { records, sink } = collecting();
  const options = optionsOf({ open: answers, environment: letters(), sinks: [sink], seed });
  await evaluate({ ...options, scheduler: { rollouts: 1 }, ...(filter && { filter }) });
  return records.map((record) => record.identity.itemId);
}

it.each([
  [{ include: ['a*'] }, ['apple', 'avocado']],
  [{ include: ['a*', 'banana'], exclude: ['*ado'] }, ['apple', 'banana']],
  [{ include: ['cherry/[12]'] }, ['cherry/1', 'cherry/2']],
  [{ include: ['{apple,banana}'] }, ['apple', 'banana']],
  [{ include: ['?pple'] }, ['apple']],
  [{ tags: { size: 'large' } }, ['avocado', 'cherry/1']],
  [{ first: 2 }, ['apple', 'avocado']],
  [{ first: 1, exclude: ['apple'] }, ['avocado']],
])('selects items by %j', async (filter, ids) => {
  expect(await idsOf(filter)).toEqual(ids);
});

it('shuffles the same way for the same seed, before it takes the first', async () => {
  const orders = await Promise.all([1, 1, 2, 3].map((seed) => idsOf({ shuffle: true }, seed)));
  expect(orders[0]).toEqual(orders[1]);
  expect(new Set(orders.map((order) => order.join())).size).toBeGreaterThan(1);
  expect(await idsOf({ shuffle: true, first: 2 }, 1)).toEqual(orders[0]?.slice(0, 2));
});

it.each([
  [{ include: ['aple'] }, 'Did you mean apple?'],
  [{ exclude: ['*'] }, 'No item passes the filters'],
])('refuses filters that fit nothing: %j', async (filter, message) => {
  await expect(idsOf(filter)).rejects.toMatchObject({
    boundary: 'config',
    message: expect.stringContaining(message),
  });
});

it('refuses two items of one id', async () => {
  const environment = plainEnvironment({
    async *items() {
      yield { id: 'a', data: 0 };
      yield { id: 'a', data: 1 };
    },
  });
  await expect(evaluate(optionsOf({ open: answers, environment }))).rejects.toMatchObject({
    code: 'DUPLICATE_ITEM',
  });
});

it('says what failed when items cannot be read', async () => {
  const environment = plainEnvironment({
    // biome-ignore lint/correctness/useYield: it fails before its first item
    async *items() {
      throw new Error('no network');
    },
  });
  await expect(evaluate(optionsOf({ open: answers, environment }))).rejects.toMatchObject({
    code: 'ITEMS_FAILED',
    message: expect.stringContaining('no network'),
  });
});

it('refuses to start without a usable sandbox, and says what to mend', async () => {
  const environment = plainEnvironment({ sandbox: () => ({}) });
  const memory = createMemorySandboxProvider();
  const problems = [{ code: 'X', message: 'bwrap is missing', fix: 'install bubblewrap' }];
  const preflight = async () => ({ ok: false, problems, capabilities: memory.capabilities });
  for (const [sandboxes, message] of [
    [null, 'no sandbox provider'],
    [{ ...memory, preflight }, 'bwrap is missing (install bubblewrap)'],
  ] as const)
    await expect(
      evaluate(optionsOf({ open: answers, environment, sandboxes })),
    ).rejects.toMatchObject({ boundary: 'config', message: expect.stringContaining(message) });
});

it('refuses attempts that are no number from 1', async () => {
  const options = optionsOf({ open: answers });
  await expect(evaluate({ ...options, attempts: 0 })).rejects.toMatchObject({ boundary: 'config' });
});

it('runs no more rollouts at once than it may', async () => {
  let running = 0;
  let most = 0;
  const open = () =>
    scriptedModel(async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return 'Done.';
    });
  const options = optionsOf({ open, scheduler: { rollouts: 3 } });
  await evaluate({ ...options, attempts: 10 });
  expect(most).toBe(3);
});

it('tells its progress from start to end', async () => {
  const events: RunEvent[] = [];
  const sinks = [{ run: (event: RunEvent) => void events.push(event) }];
  const summary = await evaluate(optionsOf({ open: answers, sinks }));
  expect(events[0]).toMatchObject({ type: 'run_start', planned: 3, resumed: 0, keptErrored: 0 });
  const counts = (type: string) => events.filter((event) => event.type === type).length;
  expect(['trial_queued', 'trial_start', 'trial_end'].map(counts)).toEqual([3, 3, 3]);
  expect(events.filter((event) => event.type === 'trial_end')).toContainEqual(
    expect.objectContaining({ itemId: expect.any(String), attempt: 0, errored: null }),
  );
  expect(events.at(-1)).toEqual({ type: 'run_end', summary });
});

it('says with the end of a trial whose it was and why it has no score', async () => {
  const events: RunEvent[] = [];
  const sinks = [{ run: (event: RunEvent) => void events.push(event) }];
  const open = () =>
    scriptedModel(async () => {
      throw new Error('no answer today');
    });
  await evaluate(optionsOf({ open, sinks, retry: { maxTries: 1 } }));
  const { trialKey, ...ended } = events.find((event) => event.type === 'trial_end') ?? {};
  expect(trialKey).toEqual(expect.any(String));
  expect(ended).toEqual({
    type: 'trial_end',
    itemId: expect.any(String),
    attempt: 0,
    outcome: 'errored',
    reward: null,
    errored: {
      reason: expect.any(String),
      cause: expect.any(String),
      message: expect.stringContaining('no answer today'),
    },
  });
});

it('ends what runs as cancelled, starts nothing new, and disposes everything', async () => {
  const controller = new AbortController();
  const { records, sink } = collecting();
  const sandboxes = createMemorySandboxProvider();
  let asked = 0;
  const open = () =>
    scriptedModel(() => {
      asked += 1;
      if (asked === 2) controller.abort();
      return { hang: true };
    });
  const options = optionsOf({
    open,
    sandboxes,
    environment: letters({ sandbox: () => ({}) }),
    sinks: [sink],
    signal: controller.signal,
    scheduler: { rollouts: 2 },
  });
  const summary = await evaluate(options);
  expect(summary).toMatchObject({
    total: 5,
    errored: 2,
    erroredBy: { 'cancelled/run_cancelled': 2 },
    interrupted: true,
  });
  expect(records).toHaveLength(2);
  expect(asked).toBe(2);
  for await (const ref of sandboxes.list()) expect.unreachable(`left behind: ${ref.id}`);
});

it('fails with the error of a sink, after all rollouts have ended', async () => {
  let running = 0;
  const closed = () => {
    running -= 1;
  };
  const open = () => {
    running += 1;
    const model = scriptedModel(running === 1 ? 'Done.' : { hang: true });
    return { ...model, close: async () => void closed() };
  };
  const record = async () => {
    throw new HermesError('environment', 'DISK_FULL', 'full');
  };
  await expect(evaluate(optionsOf({ open, sinks: [{ record }] }))).rejects.toMatchObject({
    code: 'DISK_FULL',
  });
  expect(running).toBe(0);
});

it('gives every attempt seeds of its own that do not depend on the order', async () => {
  const seedsOf = async (rollouts: number, filter: EvaluateOptions<number>['filter']) => {
    const { records, sink } = collecting();
    const options = optionsOf({ open: answers, sinks: [sink], scheduler: { rollouts } });
    await evaluate({ ...options, attempts: 2, ...(filter && { filter }) });
    return new Map(records.map((record) => [record.trialKey, record.seeds.rollout]));
  };
  const all = await seedsOf(1, {});
  expect(new Set(all.values()).size).toBe(6);
  for (const [key, seed] of await seedsOf(6, { include: ['item-2'] }))
    expect(all.get(key)).toBe(seed);
});

it('says interrupted when it was stopped before it knew its items', async () => {
  const signal = AbortSignal.abort();
  const summary = await evaluate(optionsOf({ open: answers, signal }));
  expect(summary).toMatchObject({ total: 0, errored: 0, interrupted: true });
});

it('runs nothing with a toolset that cannot be used here, and asks it once', async () => {
  let asked = 0;
  const toolset = {
    name: 'browser',
    toolNames: [],
    available: async () => {
      asked += 1;
      return { ok: false, message: 'no Chromium' } as const;
    },
    open: () => Promise.reject(new Error('opened')),
  };
  const { records, sink } = collecting();
  const environment = plainEnvironment({ toolsets: [toolset] });
  await evaluate(optionsOf({ open: answers, environment, sinks: [sink] }));
  expect(asked).toBe(1);
  expect(records[0]).toMatchObject({
    errored: { cause: 'setup_failed', error: { message: expect.stringContaining('no Chromium') } },
  });
});
