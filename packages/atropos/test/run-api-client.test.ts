import { fakeClock, testEffects } from '@hermes/protocol/testing';
import { isExpected } from '@hermes/vitest-config/services';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createTrajectoryClient,
  createTrajectoryServer,
  joinTrainer,
  type TrajectoryClient,
} from '../src/index.ts';
import { rawRequest, scoredGroup, startFakeTrainer } from '../src/testing/index.ts';
import { startRunApi } from './_support/run-api.ts';

const signal = new AbortController().signal;

type Started = AsyncDisposable & Readonly<{ baseUrl: string }>;

const servers: Readonly<Record<string, () => Promise<Started>>> = {
  'the trajectory server, compat': () => createTrajectoryServer({ port: 0 }),
  'the trajectory server, strict': () => createTrajectoryServer({ port: 0, mode: 'strict' }),
  ...(isExpected('atroposlib') && { 'the run-api of atroposlib 0.4.0': () => startRunApi() }),
};

for (const [name, start] of Object.entries(servers))
  describe(`the client with ${name}`, () => {
    let server: Started;
    let client: TrajectoryClient;
    beforeAll(async () => {
      server = await start();
      client = createTrajectoryClient({ baseUrl: server.baseUrl });
    }, 60_000);
    afterAll(async () => {
      client.close();
      await server[Symbol.asyncDispose]();
    });

    for (const groupSize of [1, 4, 16])
      it(`fills batches of 32 with groups of ${groupSize}, singly and in lists`, async () => {
        await client.reset(signal);
        const batches: (readonly unknown[])[] = [];
        const trainer = startFakeTrainer({
          baseUrl: server.baseUrl,
          batchSize: 32,
          steps: 3,
          onBatch: (batch) => batches.push(batch),
        });
        await trainer.started;
        const joined = await joinTrainer(client, registrationOf(groupSize), { signal });
        expect(joined).toMatchObject({ step: 0, batchSize: 32, totalSteps: 3 });
        const groups = Array.from({ length: 96 / groupSize }, (_one, index) =>
          scoredGroup(`g${index}`, groupSize),
        );
        const results = [
          ...(await client.send(joined.environmentId, groups.slice(0, 1), signal)),
          ...(await client.send(joined.environmentId, groups.slice(1), signal)),
        ];
        expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['received']));
        expect(await trainer.done).toEqual({
          steps: 3,
          groups: groups.length,
          sequences: 96,
          problems: [],
        });
        expect(batches).toHaveLength(3);
        const status = await client.status(joined.environmentId, signal);
        expect(status).toMatchObject({ step: 3, queuedGroups: 0 });
        await client.disconnect(joined.environmentId);
      });

    it('says that an environment is forgotten after a reset, and joins again', async () => {
      await client.reset(signal);
      await client.registerTrainer(trainerOf(4), signal);
      expect(await client.takeBatch(signal)).toBeNull();
      const joined = await joinTrainer(client, registrationOf(2), { signal });
      await client.reset(signal);
      await expect(client.status(joined.environmentId, signal)).rejects.toMatchObject({
        code: 'NOT_REGISTERED',
      });
      await client.registerTrainer(trainerOf(4), signal);
      await client.takeBatch(signal);
      const again = await joinTrainer(client, registrationOf(2), { signal });
      const groups = [scoredGroup('a', 2), scoredGroup('b', 2)];
      await client.send(again.environmentId, groups, signal);
      const batch = await client.takeBatch(signal);
      expect(batch?.map(({ sequences }) => sequences.map(({ tokens }) => tokens))).toEqual(
        groups.map(({ sequences }) => sequences.map(({ tokens }) => tokens)),
      );
    });

    it('an environment of weight 0 does not break the trainer', async () => {
      await client.reset(signal);
      await client.registerTrainer(trainerOf(4), signal);
      await client.takeBatch(signal);
      const joined = await joinTrainer(client, { ...registrationOf(2), weight: 0 }, { signal });
      expect((await client.status(joined.environmentId, signal)).weight).toBe(1);
    });
  });

it.runIf(isExpected('atroposlib'))(
  'a run-api that is killed and started anew gets no data before its trainer',
  {
    timeout: 60_000,
  },
  async () => {
    const effects = testEffects({ clock: fakeClock({ autoAdvance: true }) });
    const first = await startRunApi();
    const client = createTrajectoryClient({ baseUrl: first.baseUrl, effects });
    await client.registerTrainer(trainerOf(4), signal);
    await client.takeBatch(signal);
    const joined = await joinTrainer(client, registrationOf(2), { signal });
    await client.send(joined.environmentId, [scoredGroup('a', 2)], signal);
    await first.kill();
    await expect(client.status(joined.environmentId, signal)).rejects.toMatchObject({
      code: 'CONNECTION',
    });

    await using second = await startRunApi(first.port);
    await expect(
      client.send(joined.environmentId, [scoredGroup('b', 2)], signal),
    ).rejects.toMatchObject({ code: 'NOT_REGISTERED' });
    await client.registerTrainer(trainerOf(2), signal);
    expect((await rawRequest(second.baseUrl, { path: '/info' })).body).toMatchObject({
      batch_size: 2,
    });
    await client.takeBatch(signal);
    const again = await joinTrainer(client, registrationOf(2), { signal });
    await client.send(again.environmentId, [scoredGroup('b', 2)], signal);
    expect(await client.takeBatch(signal)).toHaveLength(1);
    client.close();
  },
);

function registrationOf(groupSize: number) {
  return { name: 'x', maxTokens: 512, weight: 1, groupSize, minBatchShare: null };
}

function trainerOf(batchSize: number) {
  return {
    group: 'g',
    project: 'p',
    batchSize,
    maxTokens: 512,
    checkpointDir: '',
    checkpointEvery: 10,
    startingStep: 0,
    totalSteps: 100,
  };
}
