import { ModelError } from '@hermes/protocol';
import { scriptedModel } from '@hermes/protocol/testing';
import { expect, it } from 'vitest';
import {
  type FinishedGroup,
  groupPlanOf,
  type OpenModel,
  openRunDirectory,
  type ProcessRules,
  processRollouts,
  type RunOptions,
} from '../src/index.ts';
import {
  collecting,
  deferred,
  optionsOf,
  plainEnvironment,
  quickEffects,
} from './_support/harness.ts';
import { temporaryFolder } from './_support/temporary-folder.ts';

const answers: OpenModel = () => scriptedModel('Done.');

function manyItems(count: number, reward: (index: number) => number = () => 1) {
  return plainEnvironment({
    async *items({ start }) {
      for (let index = start; index < count; index += 1) yield { id: `item-${index}`, data: index };
    },
    computeReward: async ({ data }) => reward(data),
  });
}

function run(changes: Partial<RunOptions<number> & ProcessRules> & { readonly open?: OpenModel }) {
  const groups: FinishedGroup[] = [];
  const { open = answers, ...rest } = changes;
  const options = {
    ...optionsOf({ open, effects: quickEffects(), environment: manyItems(6) }),
    write: async (group: FinishedGroup) => void groups.push(group),
    ...rest,
  };
  return { groups, options, ended: () => processRollouts(options) };
}

const itemsOf = (groups: readonly FinishedGroup[]) => groups.map(({ itemId }) => itemId);

it('hands every item over as a group of attempts, in the order of the items', async () => {
  const { groups, ended } = run({
    groups: 4,
    groupSize: 3,
    open: ({ identity }) =>
      scriptedModel(async () => {
        // the first item comes last
        if (identity.itemId === 'item-0') for (let turn = 0; turn < 50; turn += 1) await null;
        return 'Done.';
      }),
  });
  const summary = await ended();
  expect(itemsOf(groups)).toEqual(['item-0', 'item-1', 'item-2', 'item-3']);
  for (const { members } of groups)
    expect(members.map(({ record }) => record.identity.attempt)).toEqual([0, 1, 2]);
  expect(groups[0]?.members[0]?.record).toMatchObject({
    split: 'train',
    groupId: groups[0]?.groupId,
  });
  expect(summary).toMatchObject({
    total: 12,
    passed: 12,
    interrupted: false,
    groups: { planned: 4, written: 4, skipped: {} },
  });
});

it('keeps the trajectories that are wanted, and skips groups that have none', async () => {
  const { groups, ended } = run({
    environment: manyItems(6, (index) => index % 2),
    keep: (record) => record.reward.reward > 0,
  });
  const summary = await ended();
  expect(itemsOf(groups)).toEqual(['item-1', 'item-3', 'item-5']);
  expect(summary.groups).toEqual({ planned: 6, written: 3, skipped: { filtered: 3 } });
  expect(summary).toMatchObject({ passed: 3, failed: 3 });
});

it('waits for a member that is tried again', async () => {
  const failing = new Set(['item-1/1', 'item-4/0']);
  const { groups, ended } = run({
    groupSize: 2,
    open: ({ identity }) => {
      if (failing.delete(`${identity.itemId}/${identity.attempt}`))
        return scriptedModel(new ModelError('SERVER', 'down', { retryable: true }));
      return scriptedModel('Done.');
    },
  });
  const summary = await ended();
  expect(itemsOf(groups)).toHaveLength(6);
  expect(groups.every(({ members }) => members.length === 2)).toBe(true);
  expect(groups[1]?.members[1]?.record.tries).toHaveLength(1);
  expect(summary).toMatchObject({ errored: 0, groups: { written: 6 } });
});

it('skips a group that cannot be had, counts why, and goes on with the others', async () => {
  const { sink, records } = collecting();
  const { groups, ended } = run({
    groupSize: 3,
    scheduler: { rollouts: 1 },
    sinks: [sink],
    open: ({ identity }) => {
      if (identity.itemId === 'item-2') throw new ModelError('AUTH', 'no key');
      return scriptedModel('Done.');
    },
  });
  const summary = await ended();
  expect(itemsOf(groups)).toEqual(['item-0', 'item-1', 'item-3', 'item-4', 'item-5']);
  expect(summary.groups.skipped).toEqual({ 'model/model_auth': 1 });
  expect(summary).toMatchObject({ errored: 1, passed: 15, interrupted: false });
  expect(records.filter((one) => one.identity.itemId === 'item-2')).toHaveLength(1);
});

it('ends with an error when too many groups could not be had, and keeps what was written', async () => {
  const { groups, ended } = run({
    scheduler: { rollouts: 1 },
    maxFailedGroups: 2,
    open: ({ identity }) => {
      if (identity.itemId !== 'item-0') throw new ModelError('AUTH', 'no key');
      return scriptedModel('Done.');
    },
  });
  await expect(ended()).rejects.toMatchObject({
    boundary: 'environment',
    code: 'TOO_MANY_FAILURES',
    message: expect.stringMatching(/^2 groups.*item-2.*model_auth.*no key.*--resume/),
  });
  expect(itemsOf(groups)).toEqual(['item-0']);
});

it('ends when writing fails, and cancels what still runs', async () => {
  const { sink, records } = collecting();
  const { ended } = run({
    sinks: [sink],
    open: ({ identity, signal }) =>
      scriptedModel(async () => {
        if (identity.itemId === 'item-0') return 'Done.';
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        return 'Never.';
      }),
    write: async () => {
      throw new Error('no space');
    },
  });
  await expect(ended()).rejects.toThrow('no space');
  expect(records.filter((one) => one.status === 'completed')).toHaveLength(1);
});

it('tells a member which tools its model was offered', async () => {
  const tool = { type: 'function', function: { name: 'look' } } as const;
  const { groups, ended } = run({
    groups: 1,
    environment: plainEnvironment({
      toolsets: [
        {
          name: 'eyes',
          toolNames: ['look'],
          open: async () => ({
            tools: [
              {
                schema: tool,
                parallel: true,
                execute: async () => ({ status: 'completed', content: '' }),
              },
            ],
          }),
        },
      ],
    }),
  });
  await ended();
  expect(groups[0]).toMatchObject({ toolsets: ['eyes'], members: [{ tools: [tool] }] });
});

it('draws the toolsets once a group, by the seed and the group alone', async () => {
  const sampled = async (seed: number) => {
    const { groups, ended } = run({
      groupSize: 4,
      seed,
      environment: manyItems(12),
      toolsets: ({ random }) => {
        const name = random.next() < 0.5 ? 'even' : 'odd';
        return [{ name, toolNames: [], open: async () => ({ tools: [] }) }];
      },
    });
    await ended();
    for (const { members, toolsets } of groups)
      for (const { record } of members) expect(record.toolsets).toEqual(toolsets);
    return groups.map(({ toolsets }) => toolsets[0]).join();
  };
  const [first, again, other] = [await sampled(1), await sampled(1), await sampled(2)];
  expect(again).toBe(first);
  expect(other).not.toBe(first);
  expect(new Set(first.split(',')).size).toBe(2);
});

it('goes on after an abort without writing or playing anything twice', async () => {
  const path = await temporaryFolder();
  const plan = groupPlanOf(run({}).options, { job: 'process', size: 2 });
  const stop = new AbortController();
  const reached = deferred<void>();
  const first = run({
    groupSize: 2,
    directory: await openRunDirectory(path, { resume: false, plan }),
    signal: stop.signal,
    open: ({ identity, signal }) =>
      scriptedModel(async () => {
        if (`${identity.itemId}/${identity.attempt}` !== 'item-3/1') return 'Done.';
        reached.resolve();
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        return 'Never.';
      }),
  });
  const ending = first.ended();
  await reached.promise;
  stop.abort();
  expect(await ending).toMatchObject({ interrupted: true });
  await first.options.directory?.close();
  const opened: string[] = [];
  const second = run({
    groupSize: 2,
    directory: await openRunDirectory(path, { resume: true, plan }),
    open: ({ identity }) => {
      opened.push(`${identity.itemId}/${identity.attempt}`);
      return scriptedModel('Done.');
    },
  });
  const summary = await second.ended();
  await second.options.directory?.close();
  expect([...itemsOf(first.groups), ...itemsOf(second.groups)]).toEqual(
    ['0', '1', '2', '3', '4', '5'].map((index) => `item-${index}`),
  );
  expect(opened).not.toContain('item-0/0');
  expect(summary).toMatchObject({
    total: 12,
    passed: 12,
    interrupted: false,
    groups: { planned: 6, written: 6 },
  });
});

it.each([{ groups: 0 }, { groupSize: 1.5 }, { maxFailedGroups: -1 }])(
  'refuses %j',
  async (rule) => {
    await expect(run(rule).ended()).rejects.toMatchObject({ boundary: 'config', code: 'CONFIG' });
  },
);
