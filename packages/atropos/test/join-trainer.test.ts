import { fakeClock, testEffects } from '@hermes/protocol/testing';
import { expect, it } from 'vitest';
import { createTrajectoryClient, joinTrainer } from '../src/index.ts';
import { freePort } from '../src/testing/index.ts';
import { startScriptedServer, welcoming } from './_support/scripted-server.ts';

const signal = new AbortController().signal;
const registration = { name: 'x', maxTokens: 512, weight: 1, groupSize: 2, minBatchShare: null };
const wait = { body: { status: 'wait for trainer to start' } };
const [success] = welcoming['POST /register-env'] as readonly [never];

function effectsAtOnce() {
  return testEffects({ clock: fakeClock({ autoAdvance: true }) });
}

it('waits for a trainer, says so, and returns what the trainer said of itself', async () => {
  await using server = await startScriptedServer({
    ...welcoming,
    'POST /register-env': [wait, wait, success],
  });
  const effects = effectsAtOnce();
  const client = createTrajectoryClient({ baseUrl: server.baseUrl, effects });
  expect(await joinTrainer(client, registration, { signal, effects })).toEqual({
    environmentId: 0,
    name: 'x_0',
    step: 0,
    totalSteps: 100,
    checkpointDir: '',
    checkpointEvery: 10,
    batchSize: 4,
    maxTokens: 512,
  });
  const waiting = effects.logger.entries.filter(({ message }) => message.startsWith('Waiting'));
  expect(waiting).toHaveLength(1);
  client.close();
});

it('gives up when the time is over, and says what is missing', async () => {
  await using server = await startScriptedServer({ 'POST /register-env': [wait] });
  const effects = effectsAtOnce();
  const client = createTrajectoryClient({ baseUrl: server.baseUrl, effects });
  await expect(
    joinTrainer(client, registration, { signal, timeoutMs: 90_000, effects }),
  ).rejects.toMatchObject({ code: 'TIMEOUT', message: expect.stringContaining('GET /batch') });
  client.close();
});

it('waits for a server that is not there yet', async () => {
  const effects = effectsAtOnce();
  const client = createTrajectoryClient({
    baseUrl: `http://127.0.0.1:${await freePort()}`,
    effects,
  });
  await expect(
    joinTrainer(client, registration, { signal, timeoutMs: 5000, effects }),
  ).rejects.toMatchObject({
    code: 'TIMEOUT',
    message: expect.stringContaining('Is the trajectory'),
  });
  client.close();
});

it('refuses groups that can never fill a batch, and leaves', async () => {
  await using server = await startScriptedServer(welcoming);
  const effects = effectsAtOnce();
  const client = createTrajectoryClient({ baseUrl: server.baseUrl, effects });
  await expect(
    joinTrainer(client, { ...registration, groupSize: 3 }, { signal, effects }),
  ).rejects.toMatchObject({ code: 'CONFIG', message: expect.stringContaining('batch of 4') });
  expect(server.routes()).toContain('POST /disconnect-env');
  client.close();
});
