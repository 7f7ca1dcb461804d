import { expect, it } from 'vitest';
import type { ScoredGroup } from '../src/index.ts';
import { memoryTrainer } from '../src/testing/index.ts';

const { signal } = new AbortController();
const registration = { name: 'maths', maxTokens: 64, weight: 1, groupSize: 2, minBatchShare: null };

function group(groupId: string, size = 2): ScoredGroup {
  const sequence = { tokens: [1], mask: [1], logprobs: [-1], score: 1, rolloutId: 'r' };
  return { groupId, sequences: Array.from({ length: size }, () => sequence) };
}

it('lets environments wait until a trainer has asked for its first batch', async () => {
  const trainer = memoryTrainer({ registration: null });
  expect(await trainer.registerEnvironment(registration, signal)).toEqual({ status: 'wait' });
  await trainer.registerTrainer(
    {
      group: 'g',
      project: 'p',
      batchSize: 4,
      maxTokens: 64,
      checkpointDir: '/checkpoints',
      checkpointEvery: 5,
      startingStep: 3,
      totalSteps: 10,
    },
    signal,
  );
  expect(await trainer.takeBatch(signal)).toBeNull();
  expect(await trainer.registerEnvironment(registration, signal)).toMatchObject({
    status: 'registered',
    name: 'maths_0',
    totalSteps: 10,
  });
});

it('makes batches of whole groups and counts a step for each', async () => {
  const trainer = memoryTrainer({ registration: { batchSize: 4 } });
  await trainer.registerEnvironment(registration, signal);
  await trainer.send(0, [group('a'), group('b'), group('c')], signal);
  expect((await trainer.takeBatch(signal))?.map((one) => one.groupId)).toEqual(['a', 'b']);
  expect(await trainer.takeBatch(signal)).toBeNull();
  expect(await trainer.status(0, signal)).toMatchObject({ step: 1, queuedGroups: 1 });
});

it('refuses what it is told to refuse, and knows nobody after a restart', async () => {
  const trainer = memoryTrainer({ refuse: ({ groupId }) => (groupId === 'bad' ? 'bad' : null) });
  await trainer.registerEnvironment(registration, signal);
  expect(await trainer.send(0, [group('good'), group('bad')], signal)).toEqual([
    { status: 'received' },
    { status: 'refused', reason: 'bad' },
  ]);
  trainer.restart({});
  await expect(trainer.send(0, [group('late')], signal)).rejects.toMatchObject({
    boundary: 'trainer',
  });
  expect(trainer.connected()).toEqual([]);
});
