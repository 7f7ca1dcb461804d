import type { RolloutRecord } from '@hermes/protocol';
import { scriptedModel } from '@hermes/protocol/testing';
import { expect, it } from 'vitest';
import type { RunPlan, StoredRun } from '../src/index.ts';
import { compareRuns, planOf, runRollout } from '../src/index.ts';
import { optionsOf, trialOf } from './_support/harness.ts';

const options = optionsOf({ open: () => scriptedModel('Done.') });
const template = await runRollout(options, trialOf());

/** Rewards by task, one number an attempt; null: errored. */
type Rewards = Readonly<Record<string, readonly (number | null)[]>>;

function runOf(
  rewards: Rewards,
  plan: Partial<RunPlan> = {},
  marks: readonly string[] = [],
): StoredRun {
  const records = Object.entries(rewards).flatMap(([itemId, attempts], itemIndex) =>
    attempts.map((reward, attempt) => recordOf(itemId, itemIndex, attempt, reward, marks)),
  );
  const file = {
    v: 1,
    runId: 'run',
    createdAtMs: 0,
    planned: records.length,
    plan: { ...planOf(options), ...plan },
    run: {},
  } as const;
  const summaryPlan = { runId: 'run', environment: 'plain', planned: records.length, seed: 0 };
  return { file, records, summaryPlan, damagedLines: 0 };
}

function recordOf(
  itemId: string,
  itemIndex: number,
  attempt: number,
  reward: number | null,
  marks: readonly string[],
): RolloutRecord {
  const identity = { ...template.identity, itemId, attempt };
  const base = { ...template, identity, itemIndex, trialKey: `${itemId}/${attempt}`, marks };
  if (reward !== null)
    return {
      ...base,
      status: 'completed',
      reward: { reward, rewards: { reward }, resolved: reward >= 1 },
    };
  const error = { boundary: 'model', code: 'SERVER', message: 'x', retryable: true } as const;
  return { ...base, status: 'errored', errored: { reason: 'model', cause: 'model_server', error } };
}

function many(count: number, reward: (index: number) => number): Rewards {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`task-${index}`, [reward(index)]]),
  );
}

it('pairs by task, and says what was not paired and why', () => {
  const first = runOf({ a: [1], b: [0], c: [null], old: [1] });
  const second = runOf({ b: [1], a: [1], c: [1], new: [0], newer: [1] });
  const { tasks, valid, planned, flips, signTest } = compareRuns(first, second);
  expect(tasks).toEqual({ paired: 2, onlyFirst: 1, onlySecond: 2, unscored: 1 });
  expect(valid).toMatchObject({ tasks: 2, first: 0.5, second: 1, difference: 0.5 });
  expect(planned).toMatchObject({ tasks: 3, first: 1 / 3, second: 1 });
  expect(flips).toEqual([{ itemId: 'b', first: 0, second: 1 }]);
  expect(signTest).toMatchObject({ better: 1, worse: 0, same: 1, p: 1 });
});

it('gives the Bonett-Price interval for one 0/1 reward a task', () => {
  // 100 tasks, 20 better, 8 worse: (21 - 9) / 102 -+ z * sqrt((30 / 102 - (12 / 102)^2) / 102)
  const first = runOf(many(100, (index) => (index < 20 ? 0 : index < 28 ? 1 : index % 2)));
  const second = runOf(many(100, (index) => (index < 20 ? 1 : index < 28 ? 0 : index % 2)));
  const { valid, signTest } = compareRuns(first, second);
  expect(valid.difference).toBeCloseTo(0.12, 10);
  expect(valid.interval?.method).toBe('bonett-price');
  expect(valid.interval?.low).toBeCloseTo(0.014907, 5);
  expect(valid.interval?.high).toBeCloseTo(0.220388, 5);
  expect(signTest.p).toBeCloseTo(0.035698, 5);
});

it('gives a seeded bootstrap over tasks where rewards are shares or attempts are several', () => {
  const first = runOf({ a: [0, 1], b: [0, 0], c: [1, 1], d: [0.25] });
  const second = runOf({ a: [1, 1], b: [0, 1], c: [1, 1], d: [0.5] });
  const { valid } = compareRuns(first, second);
  expect(valid.difference).toBeCloseTo((0.5 + 0.5 + 0 + 0.25) / 4, 10);
  expect(valid.interval?.method).toBe('bootstrap');
  expect(valid.interval?.low).toBeGreaterThanOrEqual(0);
  expect(valid.interval?.high).toBeLessThanOrEqual(0.5);
  expect(compareRuns(first, second).valid).toEqual(valid);
});

it('is not certain of no difference because no task differs', () => {
  const run = runOf(many(10, () => 1));
  const { valid, signTest } = compareRuns(run, run);
  expect(valid.difference).toBe(0);
  expect(valid.interval?.low).toBeLessThan(-0.1);
  expect(valid.interval?.high).toBeGreaterThan(0.1);
  expect(signTest.p).toBeNull();
});

it('is not certain of a difference because one task is all there is', () => {
  const { valid } = compareRuns(runOf({ a: [0, 1] }), runOf({ a: [1, 1] }));
  expect(valid.difference).toBe(0.5);
  expect(valid.interval?.low).toBeLessThan(0);
  expect(valid.interval?.high).toBeGreaterThan(0.5);
});

it('has no difference where nothing was scored in both', () => {
  const { valid, tasks } = compareRuns(runOf({ a: [null] }), runOf({ a: [1] }));
  expect(valid).toMatchObject({ tasks: 0, difference: null, interval: null });
  expect(tasks).toMatchObject({ paired: 0, unscored: 1 });
});

it('names what forbids a comparison, what is compared, and what its reader should know', () => {
  const plan = planOf(options);
  const first = runOf({ a: [1] });
  const other = { ...plan, model: { provider: 'test', modelId: 'other' }, datasetRevision: 'r2' };
  const second = runOf({ a: [1] }, other, ['timeout_override']);
  const { incomparable, changes, cautions } = compareRuns(first, second);
  expect(incomparable).toEqual(['datasetRevision was "r1" and is "r2"']);
  expect(changes).toEqual(['model.modelId was "scripted" and is "other"']);
  expect(cautions).toEqual(['marks differ: none in the first, timeout_override in the second']);
});
