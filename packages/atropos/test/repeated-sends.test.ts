import { isExpected } from '@hermes/vitest-config/services';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createTrajectoryClient,
  createTrajectoryServer,
  joinTrainer,
  type TrajectoryClient,
} from '../src/index.ts';
import { scoredGroup } from '../src/testing/index.ts';
import { startForgetfulProxy } from './_support/forgetful-proxy.ts';
import { startRunApi } from './_support/run-api.ts';

const { signal } = new AbortController();
const trainer = {
  group: 'g',
  project: 'p',
  batchSize: 4,
  maxTokens: 100,
  checkpointDir: '',
  checkpointEvery: 10,
  startingStep: 0,
  totalSteps: 10,
};
const registration = { name: 'e', maxTokens: 9, weight: 1, groupSize: 2, minBatchShare: null };

async function begin(client: TrajectoryClient): Promise<void> {
  await client.reset(signal);
  await client.registerTrainer(trainer, signal);
  await client.takeBatch(signal);
}

/** An environment's process: it knows nothing of those before it. */
async function joined(baseUrl: string) {
  const client = createTrajectoryClient({ baseUrl, retryDelayMs: 1 });
  const { environmentId } = await joinTrainer(client, registration, { signal });
  const send = (groupId: string, scores = 2) =>
    client.send(environmentId, [scoredGroup(groupId, scores)], signal);
  const queued = async () => (await client.status(environmentId, signal)).ownQueuedGroups;
  return { client, send, queued, [Symbol.dispose]: client.close };
}

describe.each(['compat', 'strict'] as const)('the trajectory server, %s', (mode) => {
  it('takes a group once, also from a process that was started again and has another number', async () => {
    await using server = await createTrajectoryServer({ port: 0, mode });
    using first = await joined(await ready(server.baseUrl));
    await first.send('run.group-1');
    using second = await joined(server.baseUrl);
    expect(await second.send('run.group-1')).toEqual([{ status: 'received' }]);
    expect(await first.queued()).toBe(1);
    expect(await second.queued()).toBe(0);
    await second.send('run.group-2');
    expect(await second.queued()).toBe(1);
  });

  it('takes a group again after a reset: what it had is gone', async () => {
    await using server = await createTrajectoryServer({ port: 0, mode });
    using first = await joined(await ready(server.baseUrl));
    await first.send('run.group-1');
    await begin(first.client);
    using second = await joined(server.baseUrl);
    await second.send('run.group-1');
    expect(await second.queued()).toBe(1);
  });

  it('whose answer is lost is asked again until there is one', async () => {
    await using server = await createTrajectoryServer({ port: 0, mode });
    await ready(server.baseUrl);
    await using proxy = await startForgetfulProxy(server.baseUrl, '/scored_data', 2);
    using environment = await joined(proxy.baseUrl);
    expect(await environment.send('run.group-1')).toEqual([{ status: 'received' }]);
    expect(await environment.queued()).toBe(1);
  });

  it('whose answers are all lost leaves an error after which the group may come again', async () => {
    await using server = await createTrajectoryServer({ port: 0, mode });
    await ready(server.baseUrl);
    await using proxy = await startForgetfulProxy(server.baseUrl, '/scored_data', 3);
    using environment = await joined(proxy.baseUrl);
    await expect(environment.send('run.group-1')).rejects.toMatchObject({
      code: 'CONNECTION',
      retryable: true,
    });
    await environment.send('run.group-1');
    expect(await environment.queued()).toBe(1);
  });
});

describe.runIf(isExpected('atroposlib'))('run-api, which knows no repeated sends', () => {
  let server: Awaited<ReturnType<typeof startRunApi>>;
  beforeAll(async () => {
    server = await startRunApi();
  }, 60_000);
  afterAll(() => server[Symbol.asyncDispose]());

  it('whose answer is lost tells by its latest group that the send arrived', async () => {
    await ready(server.baseUrl);
    await using proxy = await startForgetfulProxy(server.baseUrl, '/scored_data');
    using environment = await joined(proxy.baseUrl);
    expect(await environment.send('run.group-1')).toEqual([{ status: 'received' }]);
    expect(await environment.queued()).toBe(1);
  });

  it('tells a later process whether the last group of the killed one has arrived', async () => {
    await ready(server.baseUrl);
    using first = await joined(server.baseUrl);
    await first.send('run.group-1', 2);
    using second = await joined(server.baseUrl);
    const isLast = await second.client.lastTaken?.(signal);
    await second.send('run.group-2', 4);
    expect(isLast?.(scoredGroup('run.group-1', 2))).toBe(true);
    expect(isLast?.(scoredGroup('run.group-2', 4))).toBe(false);
  });
});

async function ready(baseUrl: string): Promise<string> {
  const client = createTrajectoryClient({ baseUrl });
  await begin(client);
  client.close();
  return baseUrl;
}
