import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HermesError, type RolloutRecord, type ScoredGroup } from '@hermes/protocol';
import { memoryTrainer, scriptedTokenModel, type TrainerRoute } from '@hermes/protocol/testing';
import { expect, it } from 'vitest';
import { groupPlanOf, type OpenModel, openRunDirectory, serve } from '../src/index.ts';
import { deferred } from './_support/harness.ts';
import { answers, briskEffects, optionsFor, training } from './_support/serving.ts';
import { temporaryFolder } from './_support/temporary-folder.ts';

const routes: readonly TrainerRoute[] = [
  'registerEnvironment',
  'trainerInfo',
  'status',
  'send',
  'disconnect',
];
const registration = { batchSize: 8, totalSteps: 3 };
const forever = () => new Promise<void>(() => undefined);

function connectionLost(): HermesError {
  return new HermesError('trainer', 'CONNECTION', 'nobody there', { retryable: true });
}

/** Does something at the second call of a route, or the first where there is only one. */
function once(route: TrainerRoute, fault: () => Promise<void> | void) {
  const turn = route === 'status' || route === 'send' ? 2 : 1;
  return (at: TrainerRoute, number: number) => {
    if (at === route && number === turn) return fault();
  };
}

it.each(routes)(
  'goes on when the trainer hangs at %s',
  async (route) => {
    const trainer = training({ registration, before: once(route, forever) });
    const effects = briskEffects();
    // only the deadline of a call passes at once
    const sleep: typeof effects.clock.sleep = (ms, signal) =>
      effects.clock.sleep(ms > 10_000 && ms <= 20_000 ? 1 : ms, signal);
    const clock = { now: effects.clock.now, sleep };
    const impatient = { effects: { ...effects, clock }, trainerTimeoutMs: 20_000 };
    const summary = await serve(optionsFor({ trainer, ...impatient }));
    expect(summary.step).toBeGreaterThanOrEqual(3);
    expect(summary.groups.refused).toEqual(route === 'send' ? { delivery_unknown: 1 } : {});
  },
  20_000,
);

it.each(routes)('goes on when the connection is lost at %s', async (route) => {
  const fault = () => {
    throw connectionLost();
  };
  const trainer = training({ registration, before: once(route, fault) });
  const summary = await serve(optionsFor({ trainer, effects: briskEffects() }));
  expect(summary.step).toBeGreaterThanOrEqual(3);
  expect(summary.groups.sent).toBe(trainer.received.length);
  const ids = trainer.received.map(({ groupId }) => groupId);
  expect(new Set(ids).size).toBe(ids.length);
});

it.each(routes.slice(0, 4))(
  'ends with one clear error when the trainer answers nonsense at %s',
  async (route) => {
    const fault = () => {
      throw new HermesError('trainer', 'BAD_ANSWER', 'This is no trajectory server');
    };
    const trainer = training({ registration, before: once(route, fault) });
    await expect(serve(optionsFor({ trainer }))).rejects.toMatchObject({
      code: 'BAD_ANSWER',
      message: 'This is no trajectory server',
    });
    expect(trainer.connected()).toEqual([]);
  },
);

it.each(routes.slice(0, 4))(
  'ends at once when it is told to while the trainer hangs at %s',
  async (route) => {
    const stop = new AbortController();
    const fault = async () => {
      stop.abort();
      await forever();
    };
    const trainer = training({ registration, before: once(route, fault) });
    const summary = await serve(optionsFor({ trainer, signal: stop.signal }));
    expect(summary.interrupted).toBe(true);
    expect(trainer.connected()).toEqual([]);
  },
);

it('does not even register when it was told to end before it began', async () => {
  const trainer = memoryTrainer();
  const summary = await serve(optionsFor({ trainer, signal: AbortSignal.abort() }));
  expect(summary).toMatchObject({ interrupted: true, total: 0, groups: { sent: 0 } });
  expect(trainer.calls).toEqual([]);
});

it('keeps a group of which nobody knows whether it arrived, and does not send it twice', async () => {
  const fault = () => {
    throw new HermesError('trainer', 'DELIVERY_UNKNOWN', 'no answer', { retryable: true });
  };
  const trainer = training({ registration, after: once('send', fault) });
  const path = await temporaryFolder();
  const base = optionsFor({ trainer });
  const plan = groupPlanOf(base, { job: 'serve', size: 4 });
  const directory = await openRunDirectory(path, { resume: false, plan });
  const summary = await serve({ ...base, directory });
  await directory.close();
  expect(summary.groups.refused).toEqual({ delivery_unknown: 1 });
  const ids = trainer.received.map(({ groupId }) => groupId);
  expect(new Set(ids).size).toBe(ids.length);
  const kept = JSON.parse(await readFile(join(path, 'refused.jsonl'), 'utf8'));
  expect(ids).toContain(kept.group.groupId);
});

it('does not send again what an earlier process has sent without hearing the answer, where the trainer can tell', async () => {
  const stop = new AbortController();
  const cut = async (route: TrainerRoute, number: number) => {
    if (route !== 'send' || number !== 3) return;
    stop.abort();
    await forever();
  };
  const trainer = training({ registration, after: cut });
  const path = await temporaryFolder();
  const base = optionsFor({ trainer });
  const plan = groupPlanOf(base, { job: 'serve', size: 4 });
  const first = await openRunDirectory(path, { resume: false, plan });
  await serve({ ...base, directory: first, signal: stop.signal });
  await first.close();
  expect(trainer.received).toHaveLength(3);

  const lastTaken = async () => {
    const last = trainer.received.at(-1)?.groupId;
    return ({ groupId }: ScoredGroup) => groupId === last;
  };
  const second = await openRunDirectory(path, { resume: true, plan });
  const summary = await serve({ ...base, trainer: { ...trainer, lastTaken }, directory: second });
  await second.close();
  const ids = trainer.received.map(({ groupId }) => groupId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(summary.groups.sent).toBe(ids.length);
});

it('knows what an earlier process has sent also when older groups had not been sent yet', async () => {
  const stop = new AbortController();
  const sending = deferred<void>();
  const recorded = deferred<void>();
  const trainer = training({
    registration,
    after: async (route) => {
      if (route !== 'send') return;
      sending.resolve();
      await recorded.promise;
      stop.abort();
      await forever();
    },
  });
  const open: OpenModel = (request) =>
    scriptedTokenModel(async () => {
      if (request.identity.itemId === 'item-0') await sending.promise;
      return `Answer ${request.identity.itemId}/${request.identity.attempt}.`;
    });
  let left = 4;
  const record = async ({ identity }: RolloutRecord) => {
    if (identity.itemId === 'item-0') left -= 1;
    if (left === 0) recorded.resolve();
  };
  const path = await temporaryFolder();
  const base = optionsFor({ trainer, open });
  const plan = groupPlanOf(base, { job: 'serve', size: 4 });
  const first = await openRunDirectory(path, { resume: false, plan });
  await serve({ ...base, sinks: [{ record }], directory: first, signal: stop.signal });
  await first.close();
  const early = trainer.received.map(({ groupId }) => groupId);
  expect(early).toEqual([expect.stringMatching(/group-1$/)]);

  const lastTaken = async () => {
    const last = trainer.received.at(-1)?.groupId;
    return ({ groupId }: ScoredGroup) => groupId === last;
  };
  const calm = training({ registration });
  const second = await openRunDirectory(path, { resume: true, plan });
  const again = { ...base, trainer: { ...calm, lastTaken }, directory: second };
  await serve(again);
  await second.close();
  const ids = [...early, ...calm.received.map(({ groupId }) => groupId)];
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.some((id) => id.endsWith('group-0'))).toBe(true);
});

it('ends with the error of a callback, and takes its leave', async () => {
  const trainer = training({ registration });
  const onSent = async () => {
    throw new Error('my database is gone');
  };
  await expect(serve(optionsFor({ trainer, onSent }))).rejects.toThrow('my database is gone');
  expect(trainer.connected()).toEqual([]);
});

it('tries one group at a time while nothing works', async () => {
  const trainer = training({ registration });
  const stop = new AbortController();
  let running = 0;
  const most: number[] = [];
  const options = optionsFor({
    trainer,
    signal: stop.signal,
    scheduler: { rollouts: 16 },
    retry: { maxTries: 1 },
    open: () => {
      running += 1;
      throw new HermesError('environment', 'INTERNAL', 'down');
    },
  });
  const sink = {
    run: (event: { readonly type: string }) => {
      if (event.type !== 'group_end') return;
      most.push(running);
      running = 0;
      if (most.length === 20) stop.abort();
    },
  };
  const summary = await serve({ ...options, sinks: [sink] });
  expect(Object.values(summary.groups.skipped)).toEqual([20]);
  expect(Math.max(...most.slice(10))).toBeLessThanOrEqual(4);
});

it('plays one group at a time while the trainer refuses them all, and says so once', async () => {
  const trainer = training({ registration, refuse: () => 'HTTP 422: no' });
  const stop = new AbortController();
  const warnings: string[] = [];
  const log = (level: string, message: string) => {
    if (level === 'warn') warnings.push(message);
  };
  let started = 0;
  let refused = 0;
  const ahead: number[] = [];
  const open: OpenModel = (rollout) => {
    if (rollout.identity.attempt === 0) started += 1;
    return answers(rollout);
  };
  const onRefused = async () => {
    refused += 1;
    ahead.push(started - refused);
    if (refused === 30) stop.abort();
  };
  const effects = briskEffects({ logger: { log } });
  const scheduler = { rollouts: 32 };
  await serve(optionsFor({ trainer, open, onRefused, effects, scheduler, signal: stop.signal }));
  expect(warnings).toEqual([
    '5 groups in a row came to nothing, the last one for HTTP 422: no; until one does not, they are tried one at a time',
  ]);
  expect(Math.max(...ahead.slice(0, 4))).toBeGreaterThan(1);
  expect(Math.max(...ahead.slice(20))).toBe(0);
});
