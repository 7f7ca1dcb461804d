import { strict as assert } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import { joinTrainer, TrainerError, type TrajectoryClient } from '@hermes/atropos';
import { rawRequest } from '@hermes/atropos/testing';
import type { ScoredGroup } from '@hermes/protocol';

const groupSize = 2;
const signal = new AbortController().signal;

/** What the environments were told, and how often the trainer got what. Groups are told apart by their first token. */
export type Books = {
  nextMark: number;
  readonly acknowledged: Set<number>;
  readonly received: Map<number, number>;
};

/** Two groups fill a batch. */
export async function registerTrainer(client: TrajectoryClient, books: Books): Promise<void> {
  const trainer = { group: 'g', project: 'p', batchSize: 2 * groupSize, maxTokens: 512 };
  const rest = { checkpointDir: '', checkpointEvery: 10, startingStep: 0, totalSteps: 1 };
  await client.registerTrainer({ ...trainer, ...rest }, signal);
  await takeOnce(client.baseUrl, books);
}

export async function joinAsEnvironment(client: TrajectoryClient): Promise<number> {
  const registration = { name: 'x', maxTokens: 512, weight: 1, groupSize, minBatchShare: null };
  return (await joinTrainer(client, registration, { signal })).environmentId;
}

/** Sends group after group until the server is gone. */
export async function sendUntilGone(
  client: TrajectoryClient,
  environmentId: number,
  books: Books,
): Promise<void> {
  for (;;) {
    const mark = books.nextMark;
    books.nextMark += 1;
    try {
      const [result] = await client.send(environmentId, [markedGroup(mark)], signal);
      assert.equal(result?.status, 'received');
      books.acknowledged.add(mark);
    } catch (error) {
      if (TrainerError.isInstance(error)) return;
      throw error;
    }
  }
}

/** Takes batch after batch until the server is gone. */
export async function takeUntilGone(baseUrl: string, books: Books): Promise<void> {
  for (;;) {
    const taken = await takeOnce(baseUrl, books).catch(serverIsGone);
    if (taken === null) return;
    if (taken === 0) await sleep(2);
  }
}

/** Takes what is there. */
export async function drain(baseUrl: string, books: Books): Promise<void> {
  while ((await takeOnce(baseUrl, books)) > 0);
}

/** Returns how many groups came. */
async function takeOnce(baseUrl: string, { received }: Books): Promise<number> {
  const { body, status } = await rawRequest(baseUrl, { path: '/batch' });
  assert.equal(status, 200);
  const groups = (body as { batch: readonly { tokens: number[][] }[] | null }).batch ?? [];
  for (const { tokens } of groups) {
    const mark = tokens[0]?.[0] ?? Number.NaN;
    received.set(mark, (received.get(mark) ?? 0) + 1);
  }
  return groups.length;
}

function serverIsGone(): null {
  return null;
}

function markedGroup(mark: number): ScoredGroup {
  const sequence = (score: number) => ({
    tokens: [mark, 7, 8],
    mask: [-100, 7, 8],
    logprobs: [1, -0.5, -0.25],
    score,
    rolloutId: `r${mark}-${score}`,
  });
  return { groupId: `g${mark}`, sequences: [sequence(0), sequence(1)] };
}
