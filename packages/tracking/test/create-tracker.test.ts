import { HermesError } from '@hermes/protocol';
import { testEffects } from '@hermes/protocol/testing';
import { expect, it } from 'vitest';
import { createTracker } from '../src/index.ts';
import { memoryTarget } from './_memory-target.ts';

const steps = (target: ReturnType<typeof memoryTarget>) => target.taken.map(({ step }) => step);

it('hands everything to every target, in order, before it is closed', async () => {
  const targets = [memoryTarget(), memoryTarget()];
  const tracker = createTracker(targets, {}, testEffects());
  tracker.write(1, 1000, { reward: 0.5 });
  tracker.table?.('rollouts', 2, ['text', 'score'], [['a', 1]]);
  tracker.summary({ cost: 3 });
  await tracker.close();
  for (const target of targets) {
    expect(target.taken).toMatchObject([
      { kind: 'scalars', step: 1, wallMs: 1000, values: { reward: 0.5 } },
      { kind: 'table', step: 2, name: 'rollouts', columns: ['text', 'score'], rows: [['a', 1]] },
      { kind: 'summary', step: 2, values: { cost: 3 } },
    ]);
    expect(target.closes).toEqual([false]);
  }
});

it('leaves out what is no finite number', async () => {
  const target = memoryTarget();
  const tracker = createTracker([target], {}, testEffects());
  tracker.write(0, 0, { good: 1, nan: Number.NaN, infinite: Number.POSITIVE_INFINITY });
  await tracker.close();
  expect(target.taken).toMatchObject([{ values: { good: 1 } }]);
});

it('takes nothing more once it is closed, and closes once', async () => {
  const target = memoryTarget();
  const tracker = createTracker([target], {}, testEffects());
  await Promise.all([tracker.close(), tracker.close()]);
  tracker.write(1, 0, { late: 1 });
  await tracker.close();
  expect([target.taken, target.closes]).toEqual([[], [false]]);
});

it('tries a failed batch again until it is taken, and says so once', async () => {
  const effects = testEffects();
  let failures = 3;
  const target = memoryTarget(async () => {
    failures -= 1;
    if (failures >= 0) throw new Error('no space left on device');
  });
  const tracker = createTracker([target], { retryMs: 100 }, effects);
  tracker.write(1, 0, { value: 1 });
  tracker.write(2, 0, { value: 2 });
  await effects.clock.advance(300);
  expect(steps(target)).toEqual([1, 2]);
  await tracker.close();
  expect(effects.logger.entries).toMatchObject([
    {
      level: 'warn',
      message: 'tracking: memory: no space left on device; the run goes on, and it is tried again',
    },
  ]);
});

it('makes one last attempt when it is closed between two', async () => {
  const effects = testEffects();
  let attempts = 0;
  const target = memoryTarget(async () => {
    attempts += 1;
    if (attempts === 1) throw new Error('not now');
  });
  const tracker = createTracker([target], { retryMs: 1e6 }, effects);
  tracker.write(1, 0, { value: 1 });
  await effects.clock.advance(1);
  await tracker.close();
  expect([attempts, steps(target)]).toEqual([2, [1]]);
});

it('ends although nothing is ever taken', async () => {
  const effects = testEffects();
  const target = memoryTarget(() => Promise.reject(new Error('refused')));
  const tracker = createTracker([target], {}, effects);
  for (let step = 0; step < 5; step += 1) tracker.write(step, 0, { value: step });
  await tracker.close();
  expect(effects.logger.entries).toHaveLength(1);
});

it('goes on without a target that is gone for good, and says so once', async () => {
  const effects = testEffects();
  const gone = memoryTarget(() => {
    throw new HermesError('data', 'TRACKING', 'it is not installed');
  });
  const other = memoryTarget();
  const tracker = createTracker([gone, other], {}, effects);
  tracker.write(1, 0, { value: 1 });
  await effects.clock.advance(1);
  tracker.write(2, 0, { value: 2 });
  await tracker.close();
  expect(steps(other)).toEqual([1, 2]);
  expect(gone.closes).toEqual([false]);
  expect(effects.logger.entries.map(({ message }) => message)).toEqual([
    'tracking: memory: it is not installed; the run goes on without it',
  ]);
});

it('does not wait for a target that hangs: neither while the run goes on nor beyond the deadline', async () => {
  const effects = testEffects();
  const hanging = memoryTarget(() => new Promise(() => {}));
  const other = memoryTarget();
  const tracker = createTracker([hanging, other], { closeMs: 1000 }, effects);
  tracker.write(1, 0, { value: 1 });
  const closed = tracker.close();
  await effects.clock.advance(1000);
  await closed;
  expect([steps(other), hanging.closes]).toEqual([[1], [true]]);
  expect(effects.logger.entries.map(({ message }) => message)).toEqual([
    'tracking: memory: it did not end in time; what it had not taken by then is lost',
  ]);
});

it('drops the oldest of what waits for a slow target, and says so', async () => {
  const effects = testEffects();
  let open: () => void = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const target = memoryTarget(() => gate);
  const tracker = createTracker([target], { maxWaiting: 3 }, effects);
  tracker.write(0, 0, { value: 0 });
  for (let step = 1; step <= 10; step += 1) tracker.write(step, 0, { value: step });
  open();
  await tracker.close();
  expect(steps(target)).toEqual([0, 8, 9, 10]);
  expect(effects.logger.entries).toHaveLength(1);
});
