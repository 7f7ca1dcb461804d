import type { MetricSink } from '@hermes/protocol';
import { scriptedModel, scriptedTokenModel, testEffects } from '@hermes/protocol/testing';
import { expect, it } from 'vitest';
import { evaluate, type OpenModel, processRollouts } from '../src/index.ts';
import { deferred, optionsOf, plainEnvironment, quickEffects } from './_support/harness.ts';

type Told = Readonly<{ step: number; values: Readonly<Record<string, number>> }>;

const answers: OpenModel = () => scriptedModel('Done.');

function remembering() {
  const told: Told[] = [];
  const tables: (readonly [string, number, readonly (readonly unknown[])[]])[] = [];
  const sink: MetricSink = {
    write: (step, _wallMs, values) => void told.push({ step, values }),
    table: (name, step, _columns, rows) => void tables.push([name, step, rows]),
    close: async () => undefined,
  };
  return { told, tables, metrics: [sink] };
}

const categories = ['Data Science', 'Data Science', 'Data Science', 'file-operations'];

/** Odd items pass. */
const half = plainEnvironment({
  async *items({ start }) {
    for (let index = start; index < 4; index += 1)
      yield { id: `item-${index}`, data: index, tags: { category: categories[index] ?? '' } };
  },
  computeReward: async ({ data }) => data % 2,
  aggregate: (records) => ({ accuracy: 0.25, 'own/count': records.length }),
});

it('tells an evaluation under every name that dashboards know', async () => {
  const { told, metrics } = remembering();
  const summary = await evaluate(optionsOf({ open: answers, environment: half, metrics }));
  expect(summary.metrics).toEqual({ accuracy: 0.25, 'own/count': 4 });
  expect(told).toEqual([
    {
      step: 0,
      values: {
        'eval/passed': 2,
        'eval/failed': 2,
        'eval/errored': 0,
        'eval/score_valid': 0.5,
        'eval/score_planned': 0.5,
        'eval/pass_rate': 0.5,
        'eval/percent_correct': 0.5,
        'eval/avg_reward': 0.5,
        'eval/total': 4,
        'eval/total_tasks': 4,
        'eval/passed_tasks': 2,
        'eval/num_samples': 4,
        'eval/evaluation_time_seconds': summary.wallMs / 1000,
        'eval/pass_rate_data_science': 1 / 3,
        'eval/pass_rate_file_operations': 1,
        'eval/accuracy': 0.25,
        'own/count': 4,
      },
    },
  ]);
});

it('leaves out a rate that nothing was divided for', async () => {
  const { told, metrics } = remembering();
  const open: OpenModel = () => {
    throw new Error('no model');
  };
  await evaluate(optionsOf({ open, environment: half, metrics }));
  expect(told[0]?.values).toMatchObject({ 'eval/errored': 4, 'eval/num_samples': 0 });
  for (const name of ['eval/pass_rate', 'eval/percent_correct', 'eval/avg_reward'])
    expect(told[0]?.values).not.toHaveProperty([name]);
});

it('loses only the own metrics where the environment fails at them', async () => {
  const effects = testEffects();
  const environment = plainEnvironment({
    aggregate: () => {
      throw new Error('division by zero');
    },
  });
  const { clock: _manual, ...others } = effects;
  const summary = await evaluate(optionsOf({ open: answers, environment, effects: others }));
  expect(summary).toMatchObject({ passed: 3, metrics: {} });
  expect(effects.logger.entries).toMatchObject([
    { level: 'error', message: expect.stringContaining('division by zero') },
  ]);
});

it('tells of every group of training data that is written, in their order', async () => {
  const { told, tables, metrics } = remembering();
  const open: OpenModel = ({ identity }) =>
    scriptedTokenModel([
      ...(identity.itemId === 'item-1' ? [{ calls: [{ name: 'look', arguments: {} }] }] : []),
      'Done.',
    ]);
  await processRollouts({
    ...optionsOf({ open, environment: half, effects: quickEffects(), metrics }),
    groupSize: 2,
    keep: ({ identity }) => identity.itemId !== 'item-2',
    write: async () => undefined,
  });
  const groups = told.slice(0, -1);
  expect(groups.map(({ step }) => step)).toEqual([1, 2, 4]);
  expect(groups.map(({ values }) => values['train/avg_reward'])).toEqual([0, 1, 1]);
  expect(groups.map(({ values }) => values['train/avg_tool_calls'])).toEqual([0, 1, 0]);
  expect(groups.map(({ values }) => values['train/items_rejected'])).toEqual([0, 0, 1]);
  for (const { values } of groups) {
    expect(values).toMatchObject({ 'train/total_rollouts': 2, 'train/accuracy': 0.25 });
    expect(values['train/completion_lengths']).toBeGreaterThan(0);
    expect(values).not.toHaveProperty(['train/completion_lengths_p95']);
  }
  const rollouts = tables.filter(([name]) => name === 'train/rollouts');
  expect(rollouts.map(([, step, rows]) => [step, rows.length])).toEqual([
    [1, 1],
    [2, 1],
    [4, 1],
  ]);
  expect(told.at(-1)?.values).toMatchObject({ 'process/passed': 4, 'process/accuracy': 0.25 });
});

it('tells groups of training data that are written at once under steps of their own', async () => {
  const { told, metrics } = remembering();
  const all = deferred<void>();
  let writes = 0;
  const write = async () => {
    writes += 1;
    if (writes === 4) all.resolve();
    await all.promise;
  };
  await processRollouts({
    ...optionsOf({ open: answers, environment: half, metrics }),
    scheduler: { rollouts: 4 },
    write,
  });
  const steps = told.filter(({ values }) => 'train/avg_reward' in values).map(({ step }) => step);
  expect(steps).toEqual([1, 2, 3, 4]);
});
