import { gunzipSync } from 'node:zlib';
import { HermesError } from '@hermes/protocol';
import { fakeClock, testEffects } from '@hermes/protocol/testing';
import { describe, expect, it } from 'vitest';
import { createTrajectoryClient, createTrajectoryServer, TrainerError } from '../src/index.ts';
import { freePort, scoredGroup } from '../src/testing/index.ts';
import { startScriptedServer, welcoming } from './_support/scripted-server.ts';

const signal = new AbortController().signal;
const registration = { name: 'x', maxTokens: 512, weight: 1, groupSize: 2, minBatchShare: null };
const received = { body: { status: 'received' } };

/** A client whose waits end at once. */
function clientFor(baseUrl: string, timeoutMs = 5000) {
  const effects = testEffects({ clock: fakeClock({ autoAdvance: true }) });
  return createTrajectoryClient({ baseUrl, timeoutMs, effects });
}

describe('a send', () => {
  it('goes nowhere before the environment is registered', async () => {
    await using server = await startScriptedServer(welcoming);
    const client = clientFor(server.baseUrl);
    await expect(client.send(0, [scoredGroup('a', 2)], signal)).rejects.toMatchObject({
      boundary: 'trainer',
      code: 'NOT_REGISTERED',
    });
    expect(server.routes()).toEqual([]);
    client.close();
  });

  it('asks on a new connection whether the trainer still knows the environment', async () => {
    const dropping = {
      ...welcoming,
      'POST /register-env': [
        { ...welcoming['POST /register-env']?.[0], headers: { connection: 'close' } },
      ],
      'POST /scored_data': [received],
    } as typeof welcoming;
    await using server = await startScriptedServer(dropping);
    const client = clientFor(server.baseUrl);
    await client.registerEnvironment(registration, signal);
    expect(await client.send(0, [scoredGroup('a', 2)], signal)).toEqual([{ status: 'received' }]);
    expect(server.routes()).toEqual(['POST /register-env', 'GET /status-env', 'POST /scored_data']);
    client.close();
  });

  it('never reaches a server that was started anew at the same address', async () => {
    const port = await freePort();
    const client = clientFor(`http://127.0.0.1:${port}`);
    {
      await using first = await startScriptedServer(
        { ...welcoming, 'POST /scored_data': [received] },
        port,
      );
      await client.registerEnvironment(registration, signal);
      await client.send(0, [scoredGroup('a', 2)], signal);
      expect(first.routes()).toContain('POST /scored_data');
    }
    const forgetful = { 'GET /status-env': [{ status: 500, body: 'Internal Server Error' }] };
    await using second = await startScriptedServer(forgetful, port);
    await expect(client.send(0, [scoredGroup('b', 2)], signal)).rejects.toMatchObject({
      code: 'NOT_REGISTERED',
      retryable: true,
    });
    expect(second.routes()).not.toContain('POST /scored_data');
    client.close();
  });

  it('has one form for one group and another for several', async () => {
    const list = {
      body: { status: 'received', groups_processed: 2, buffered: 1, last_buffer_size: 3 },
    };
    await using server = await startScriptedServer({
      ...welcoming,
      'POST /scored_data': [received],
      'POST /scored_data_list': [list],
    });
    const client = clientFor(server.baseUrl);
    await client.registerEnvironment(registration, signal);
    await client.send(0, [scoredGroup('a', 2)], signal);
    expect(await client.send(0, [scoredGroup('b', 2), scoredGroup('c', 3)], signal)).toEqual([
      { status: 'received' },
      { status: 'buffered', sequences: 3 },
    ]);
    client.close();
  });

  it('has log-probs, the id and content in every message, and no nulls', async () => {
    await using server = await startScriptedServer({
      ...welcoming,
      'POST /scored_data': [received],
    });
    const client = clientFor(server.baseUrl);
    await client.registerEnvironment(registration, signal);
    const group = scoredGroup('a', 2);
    const [first, second] = group.sequences;
    const messages = [{ role: 'assistant', content: null } as const];
    const spoken = { ...group, sequences: [{ ...first, messages }, second] } as typeof group;
    await client.send(0, [spoken], signal);
    const body = JSON.parse(server.seen.at(-1)?.body.toString() ?? '');
    expect(body).toMatchObject({
      env_id: 0,
      inference_logprobs: [first?.logprobs, second?.logprobs],
    });
    expect(body.messages).toEqual([[{ role: 'assistant', content: '' }], []]);
    expect(JSON.stringify(body)).not.toContain('null');
    client.close();
  });

  it('is zipped when it is large', async () => {
    await using server = await startScriptedServer({
      ...welcoming,
      'POST /scored_data': [received],
    });
    const client = clientFor(server.baseUrl);
    await client.registerEnvironment(registration, signal);
    await client.send(0, [scoredGroup('a', 2, { tokens: 900 })], signal);
    const last = server.seen.at(-1);
    expect(last?.headers['content-encoding']).toBe('gzip');
    expect(JSON.parse(gunzipSync(last?.body ?? '').toString()).tokens[0]).toHaveLength(900);
    client.close();
  });
});

describe('a group that cannot be right', () => {
  const [sequence] = scoredGroup('a', 1).sequences;
  const cases = {
    'a score of NaN': { score: Number.NaN },
    'a token that is no whole number': { tokens: [1.5], mask: [1.5], logprobs: [-1] },
    'a mask of another token': { tokens: [1], mask: [2], logprobs: [-1] },
    'context without log-prob 1': { tokens: [1], mask: [-100], logprobs: [0] },
    'a sampled token with log-prob above 0': { tokens: [1], mask: [1], logprobs: [0.5] },
    'lengths that differ': { mask: [-100] },
    'an infinite advantage': { advantages: Array(6).fill(Number.POSITIVE_INFINITY) },
  };
  for (const [what, change] of Object.entries(cases))
    it(`is refused without being sent: ${what}`, async () => {
      await using server = await startScriptedServer(welcoming);
      const client = clientFor(server.baseUrl);
      await client.registerEnvironment(registration, signal);
      const wrong = { groupId: 'w', sequences: [{ ...sequence, ...change }] } as never;
      const [result] = await client.send(0, [wrong], signal);
      expect(result).toMatchObject({
        status: 'refused',
        reason: expect.stringContaining('invalid'),
      });
      expect(server.routes()).toEqual(['POST /register-env']);
      client.close();
    });

  it('does not hold up the others of its list', async () => {
    await using server = await createTrajectoryServer({ port: 0, mode: 'strict' });
    const client = clientFor(server.baseUrl);
    const trainer = { group: 'g', project: 'p', batchSize: 4, maxTokens: 512 };
    await client.registerTrainer(
      { ...trainer, checkpointDir: '', checkpointEvery: 1, startingStep: 0, totalSteps: 1 },
      signal,
    );
    await client.takeBatch(signal);
    await client.registerEnvironment(registration, signal);
    const groups = [scoredGroup('a', 2), scoredGroup('too large', 4), scoredGroup('b', 2)];
    const results = await client.send(0, groups, signal);
    expect(results.map(({ status }) => status)).toEqual(['received', 'refused', 'received']);
    expect(results[1]).toMatchObject({ reason: expect.stringContaining('groups of 2') });
    expect(await client.takeBatch(signal)).toHaveLength(2);
    client.close();
  });

  it('is refused by name when the trainer names it', async () => {
    const named = { status: 422, body: { detail: [{ loc: ['body', 1, 'scores'], msg: 'no' }] } };
    await using server = await startScriptedServer({
      ...welcoming,
      'POST /scored_data_list': [named],
      'POST /scored_data': [received],
    });
    const client = clientFor(server.baseUrl);
    await client.registerEnvironment(registration, signal);
    const results = await client.send(0, [scoredGroup('a', 2), scoredGroup('b', 2)], signal);
    expect(results).toEqual([
      { status: 'received' },
      { status: 'refused', reason: 'HTTP 422: body.1.scores: no' },
    ]);
    client.close();
  });
});

describe('a trainer in trouble', () => {
  it('that is not there is asked three times, then told with what to do', async () => {
    const client = clientFor(`http://127.0.0.1:${await freePort()}`);
    const error = await client.trainerInfo(signal).catch((caught: unknown) => caught);
    expect(HermesError.isInstance(error) && error.toInfo()).toMatchObject({
      boundary: 'trainer',
      code: 'CONNECTION',
      retryable: true,
      message: expect.stringContaining('Is the trajectory server'),
    });
    client.close();
  });

  it('that is busy for a moment is asked again', async () => {
    const busy = { status: 503, body: { detail: 'later' } };
    await using server = await startScriptedServer({
      ...welcoming,
      'POST /scored_data': [busy, busy, received],
    });
    const client = clientFor(server.baseUrl);
    await client.registerEnvironment(registration, signal);
    expect(await client.send(0, [scoredGroup('a', 2)], signal)).toEqual([{ status: 'received' }]);
    client.close();
  });

  it('that never answers ends by its deadline', async () => {
    await using server = await startScriptedServer({ 'GET /info': [() => undefined] });
    const client = clientFor(server.baseUrl, 30);
    await expect(client.trainerInfo(signal)).rejects.toMatchObject({ code: 'TIMEOUT' });
    client.close();
  });

  it('that talks nonsense is quoted', async () => {
    await using server = await startScriptedServer({ 'GET /info': [{ body: '<html>' }] });
    const client = clientFor(server.baseUrl);
    await expect(client.trainerInfo(signal)).rejects.toMatchObject({
      code: 'BAD_ANSWER',
      message: expect.stringContaining('<html>'),
    });
    client.close();
  });

  it('that stands elsewhere is named', async () => {
    const headers = { location: 'https://trainer.example/info' };
    await using server = await startScriptedServer({
      'GET /info': [{ status: 302, body: '', headers }],
    });
    const client = clientFor(server.baseUrl);
    await expect(client.trainerInfo(signal)).rejects.toMatchObject({
      code: 'REFUSED',
      message: expect.stringContaining('answered with 302: go to https://trainer.example/info'),
    });
    client.close();
  });

  it('that cuts the connection after a send leaves it unknown, and nothing is sent twice', async () => {
    const cut = (response: { destroy: () => void }) => response.destroy();
    await using server = await startScriptedServer({ ...welcoming, 'POST /scored_data': [cut] });
    const client = clientFor(server.baseUrl);
    await client.registerEnvironment(registration, signal);
    await expect(client.send(0, [scoredGroup('a', 2)], signal)).rejects.toMatchObject({
      code: 'DELIVERY_UNKNOWN',
      retryable: false,
    });
    expect(server.routes().filter((route) => route === 'POST /scored_data')).toHaveLength(1);
    client.close();
  });

  it('that knows repeated sends gets the same one again under the same key', async () => {
    const cut = (response: { destroy: () => void }) => response.destroy();
    const [registered] = welcoming['POST /register-env'] ?? [];
    await using server = await startScriptedServer({
      ...welcoming,
      'POST /register-env': [
        { ...registered, headers: { 'trajectory-repeats': 'by-key' } } as never,
      ],
      'POST /scored_data': [cut, received],
    });
    const client = clientFor(server.baseUrl);
    await client.registerEnvironment(registration, signal);
    expect(await client.send(0, [scoredGroup('a', 2)], signal)).toEqual([{ status: 'received' }]);
    const keys = server.seen
      .filter(({ route }) => route === 'POST /scored_data')
      .map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    client.close();
  });

  it('is not asked any more once the caller gives up', async () => {
    await using server = await startScriptedServer({ 'GET /info': [() => undefined] });
    const client = clientFor(server.baseUrl);
    const giveUp = new AbortController();
    const asked = client.trainerInfo(giveUp.signal);
    giveUp.abort();
    await expect(asked).rejects.toMatchObject({ code: 'CANCELLED' });
    client.close();
  });
});

describe('what cannot be sent is a configuration error', () => {
  it('an address that is none', () => {
    expect(() => createTrajectoryClient({ baseUrl: 'localhost:8000' })).toThrow(TrainerError);
  });

  it('a name that is empty, a group size that is none', async () => {
    const client = clientFor('http://127.0.0.1:1');
    for (const wrong of [{ name: '' }, { groupSize: 0 }, { minBatchShare: 2 }])
      await expect(
        client.registerEnvironment({ ...registration, ...wrong }, signal),
      ).rejects.toMatchObject({ code: 'CONFIG' });
    client.close();
  });
});
