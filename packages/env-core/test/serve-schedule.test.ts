import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MetricSink } from '@hermes/protocol';
import { scriptedTokenModel } from '@hermes/protocol/testing';
import { describe, expect, it } from 'vitest';
import { evaluate, type RunSummary, serve } from '../src/index.ts';
import { type Demand, groupsWanted, isDue, isOver } from '../src/serve/_groups-wanted.ts';
import { collecting, optionsOf, plainEnvironment } from './_support/harness.ts';
import { alternating, optionsFor, training } from './_support/serving.ts';
import { temporaryFolder } from './_support/temporary-folder.ts';

const status = {
  step: 0,
  queuedGroups: 0,
  ownQueuedGroups: 0,
  unallocatedShare: 1,
  maxGroupSize: 1,
  weight: 1,
};

describe('groupsWanted', () => {
  const rules = { size: 4, name: 'maths' };
  const cases: readonly [string, Partial<Demand>, number][] = [
    ['nothing while the batch size is unknown', { batchSize: null }, 0],
    ['three batches in stock by default', {}, 24],
    ['less by what is queued', { status: { ...status, queuedGroups: 20 } }, 4],
    ['nothing when the stock is full', { status: { ...status, queuedGroups: 24 } }, 0],
    ['never more than there is room for', { limit: 5 }, 5],
    [
      'all that there is room for where the stock has no bound',
      { rules: { ...rules, maxBatchesOffPolicy: 0 }, limit: 500 },
      500,
    ],
    [
      'its part of the batch beside environments with a least share',
      { status: { ...status, unallocatedShare: 0.5 } },
      12,
    ],
    [
      'what its own least share lacks, whatever others have queued',
      {
        rules: { ...rules, minBatchShare: 0.5 },
        status: {
          ...status,
          unallocatedShare: 0.5,
          queuedGroups: 100,
          ownQueuedGroups: 3,
          maxGroupSize: 4,
        },
      },
      10,
    ],
  ];
  it.each(cases)('wants %s', (_name, changes, wanted) => {
    expect(groupsWanted({ rules, batchSize: 32, status, limit: 100, ...changes })).toBe(wanted);
  });
});

it.each([
  [9, 0, 10, false],
  [10, 0, 10, true],
  [8, 8, 10, false],
  [8, 12, 10, true],
  [1_000, 100, null, false],
])(
  'at step %i with %i groups queued of %s steps it is over: %s',
  (step, queuedGroups, total, over) => {
    expect(isOver({ ...status, step, queuedGroups }, total, 2, 8)).toBe(over);
  },
);

it.each([
  [0, 4, 5, false],
  [4, 5, 5, true],
  [4, 11, 5, true],
  [3, 8, 5, true],
  [5, 9, 5, false],
  [0, 9, 0, false],
])('from step %i to %i something due every %i steps is due: %s', (before, now, every, due) => {
  expect(isDue(before, now, every)).toBe(due);
});

function evaluation(): Promise<RunSummary> {
  return evaluate(optionsOf({ open: () => scriptedTokenModel('Done.') }));
}

it('evaluates every so many steps, and plays nothing meanwhile', async () => {
  const trainer = training({ registration: { batchSize: 4, totalSteps: 9 } });
  const { sink, events } = collecting();
  let startedMeanwhile = 0;
  const run = async () => {
    await new Promise(setImmediate);
    const before = events.filter(({ type }) => type === 'rollout_start').length;
    const summary = await evaluation();
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    startedMeanwhile += events.filter(({ type }) => type === 'rollout_start').length - before;
    return summary;
  };
  const summary = await serve(
    optionsFor({
      trainer,
      sinks: [sink],
      scheduler: { rollouts: 4 },
      evaluation: { everySteps: 3, handling: 'stop_train', run },
    }),
  );
  expect(summary.groups).toMatchObject({ evaluations: 3, evaluationsFailed: 0 });
  expect(startedMeanwhile).toBeLessThanOrEqual(12); // what was under way when an evaluation began
});

it('goes on training when an evaluation fails, and counts it', async () => {
  const trainer = training({ registration: { batchSize: 4, totalSteps: 3 } });
  const run = async () => {
    throw new Error('no test set');
  };
  const rules = { everySteps: 1, handling: 'none', run } as const;
  const summary = await serve(optionsFor({ trainer, evaluation: rules }));
  expect(summary.groups.evaluations).toBe(0);
  expect(summary.groups.evaluationsFailed).toBeGreaterThan(0);
  expect(summary.step).toBeGreaterThanOrEqual(3);
});

it('saves the data position with the trainer, and begins there when a trainer goes on', async () => {
  const checkpointDir = await temporaryFolder();
  const registration = { batchSize: 4, totalSteps: 6, checkpointDir, checkpointEvery: 2 };
  await serve(optionsFor({ trainer: training({ registration }) }));
  const folder = join(checkpointDir, 'env_checkpoints', 'maths_0');
  expect(await readdir(folder)).toEqual(expect.arrayContaining(['step-2.json', 'step-4.json']));
  const position = JSON.parse(await readFile(join(folder, 'step-4.json'), 'utf8'));
  expect(position).toMatchObject({ v: 1, epoch: 0, group: expect.any(Number) });

  const { sink, records } = collecting();
  const trainer = training({ registration: { ...registration, startingStep: 5, totalSteps: 7 } });
  await serve(optionsFor({ trainer, sinks: [sink] }));
  expect(Math.min(...records.map(({ itemIndex }) => itemIndex))).toBe(position.group);
});

it('goes on without a checkpoint folder that it may write to', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'elsewhere'));
  const checkpointDir = join(folder, 'elsewhere', 'file');
  await writeFile(checkpointDir, '');
  const registration = { batchSize: 4, totalSteps: 3, checkpointDir, checkpointEvery: 1 };
  const summary = await serve(optionsFor({ trainer: training({ registration }) }));
  expect(summary.step).toBeGreaterThanOrEqual(3);
});

it('tells the metrics under the names of the dashboards, without secrets', async () => {
  const values: Record<string, number> = {};
  const tables: Record<string, readonly (readonly unknown[])[]> = {};
  const sink: MetricSink = {
    write: (_step, _wallMs, told) => void Object.assign(values, told),
    table: (name, _step, _columns, rows) => void Object.assign(tables, { [name]: rows }),
    close: async () => undefined,
  };
  const more = () => ({ 'server/server_0_request_time_avg': 0.25 });
  const trainer = training({ registration: { batchSize: 4, totalSteps: 6, maxTokens: 100 } });
  await serve(
    optionsFor({
      trainer,
      environment: { ...alternating(), aggregate: () => ({ accuracy: 0.125 }) },
      metrics: [sink],
      report: { secrets: ['key-123'], rolloutsPerGroup: -1, rolloutsToKeep: 5, more },
      evaluation: { everySteps: 2, handling: 'none', run: evaluation },
      open: ({ identity }) =>
        scriptedTokenModel([
          { calls: [{ name: 'look', arguments: { key: 'key-123' } }] },
          `${identity.attempt}.`,
        ]),
    }),
  );
  const named = (names: readonly string[]) => names.map((name) => `maths_0_${name}`);
  expect(Object.keys(values)).toEqual(
    expect.arrayContaining(
      named([
        'train/completion_lengths',
        'train/completion_lengths_std',
        'train/completion_lengths_max',
        'train/completion_lengths_min',
        'train/completion_lengths_p95',
        'train/avg_reward',
        'train/pass_rate',
        'train/percent_correct',
        'train/total_rollouts',
        'train/tool_use_rate',
        'train/avg_tool_calls',
        'train/accuracy',
        'train/tool_errors_count',
        'train/items_sent_to_api',
        'train/items_rejected',
        'train_perf/task_duration_mean',
        'train_perf/succeeded_task_duration_std',
        'train_perf/mainloop_timings_max',
        'train_perf/workers_added_per_attempt_mean',
        'eval/score_valid',
      ]),
    ),
  );
  expect(values).toMatchObject({
    'maths_0_train/avg_reward': 0.5,
    'maths_0_train/percent_correct': 0.5,
    'maths_0_train/tool_use_rate': 1,
    'maths_0_train/avg_tool_calls': 1,
    'maths_0_train/accuracy': 0.125,
    'maths_0_eval/score_valid': 1,
    'server/server_0_request_time_avg': 0.25,
  });
  expect(Object.values(values).every(Number.isFinite)).toBe(true);
  const rows = tables['maths_0_train/rollouts'] ?? [];
  expect(rows).toHaveLength(5);
  expect(rows[0]?.[0]).toContain('[TOOL CALL] look({"key":"***"})');
  expect(JSON.stringify(tables)).not.toContain('key-123');
  expect(tables['maths_0_train/tool_error_details']?.[0]?.[0]).toMatch(/^\[turn 1\] look\(/);
});

it('gives free places to the oldest group first', async () => {
  const trainer = training({ registration: { batchSize: 4, totalSteps: 5 } });
  const begun: number[] = [];
  await serve(
    optionsFor({
      trainer,
      scheduler: { rollouts: 2 },
      group: { workers: 5 },
      open: ({ identity }) => {
        begun.push(Number(identity.itemId.slice('item-'.length)));
        return scriptedTokenModel(`${identity.attempt}.`);
      },
      environment: {
        ...optionsFor({ trainer }).environment,
        ...plainEnvironment({
          async *items({ start }) {
            for (let index = start; index < 99; index += 1)
              yield { id: `item-${index}`, data: index };
          },
          computeReward: async (_item, result) =>
            JSON.stringify(result.messages).match(/[13]\.\\?"/) ? 1 : 0,
        }),
      },
    }),
  );
  expect(begun).toEqual(begun.toSorted((a, b) => a - b));
});
