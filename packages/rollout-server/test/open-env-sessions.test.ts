import { once } from 'node:events';
import type { RolloutRecord } from '@hermes/protocol';
import { fakeClock } from '@hermes/protocol/testing';
import { expect, it } from 'vitest';
import type { ClientOptions } from 'ws';
import type { RolloutServer } from '../src/index.ts';
import { openServer, plainDefinition } from './_server.ts';
import { openSocket } from './_socket.ts';

const MANY = 40;
const HEARTBEAT_MS = 30_000;

/** Sessions in the middle of an episode. */
function openMany(server: RolloutServer, options: ClientOptions = {}) {
  return Promise.all(
    Array.from({ length: MANY }, async () => {
      const client = await openSocket(server, options);
      expect((await client.send({ type: 'reset' })).type).toBe('observation');
      return client;
    }),
  );
}

/** Keeps the records of rollouts that ended; `all` resolves when so many have come. */
function endsOf(count: number) {
  const records: RolloutRecord[] = [];
  let enough: () => void = () => undefined;
  const all = new Promise<void>((resolve) => {
    enough = resolve;
  });
  const record = async (one: RolloutRecord) => {
    records.push(one);
    if (records.length === count) enough();
  };
  return { run: { sandboxes: null, sinks: [{ record }] }, all };
}

it('sessions whose clients drop the connection without a word are freed, with the rollouts in them', async () => {
  const { run, all } = endsOf(MANY);
  const { server, ask } = await openServer({ run, maxSessions: MANY });
  const clients = await openMany(server);
  const { next } = await openSocket(server);
  expect((await next()).data).toMatchObject({ code: 'CAPACITY_REACHED' });
  for (const { socket } of clients) socket.terminate();
  await all;
  expect((await ask('/health')).body.sessions).toBe(0);
  await openMany(server);
});

it('sessions whose clients are there no more, though their connections are, go after two heartbeats', async () => {
  const { run, all } = endsOf(MANY);
  const clock = fakeClock();
  const { server, ask } = await openServer({ run, effects: { clock } });
  const silent = await openMany(server, { autoPong: false });
  const alive = await openSocket(server);
  await clock.advance(HEARTBEAT_MS);
  await alive.send({ type: 'state' });
  await clock.advance(HEARTBEAT_MS);
  await all;
  expect((await ask('/health')).body.sessions).toBe(1);
  for (const { next } of silent)
    expect((await next()).data.message).toContain('its client answers no heartbeat');
  expect((await alive.send({ type: 'reset' })).type).toBe('observation');
});

it('sessions that nobody uses are ended, over HTTP as well', async () => {
  const { run, all } = endsOf(2);
  const clock = fakeClock();
  const idle = { sessionIdleMs: HEARTBEAT_MS };
  const { server, ask } = await openServer({ run, effects: { clock }, ...idle });
  const { send, next } = await openSocket(server);
  await send({ type: 'reset' });
  await ask('/reset', {});
  await clock.advance(HEARTBEAT_MS);
  await all;
  expect((await next()).data).toMatchObject({ code: 'SESSION_ERROR' });
  expect((await ask('/step', { action: {} })).body.error.code).toBe('SESSION_ERROR');
});

it('a caller of HTTP that hangs up in the middle of a step ends its episode', async () => {
  const { run, all } = endsOf(1);
  const caller = new AbortController();
  const definition = plainDefinition({
    computeReward: () => {
      caller.abort();
      return new Promise(() => undefined);
    },
  });
  const { server, ask } = await openServer({ run, environments: [{ definition, config: {} }] });
  await ask('/reset', {});
  const asking = fetch(`${server.baseUrl}/step`, {
    method: 'POST',
    body: JSON.stringify({ action: { content: 'right' } }),
    signal: caller.signal,
  });
  await expect(asking).rejects.toThrow('aborted');
  await all;
  expect((await ask('/health')).body.sessions).toBe(0);
});

it('a server that closes tells its clients why, and waits for their rollouts', async () => {
  const { run, all } = endsOf(MANY);
  const { server } = await openServer({ run });
  const clients = await openMany(server);
  await server.close();
  await all;
  for (const { next } of clients)
    expect((await next()).data.message).toContain('the server is closing');
});

it('a client says goodbye, or shows no token, or sends too much: the connection ends', async () => {
  const { server, ask } = await openServer({ token: 'secret', bodyBytes: 1_000 });
  await expect(openSocket(server)).rejects.toThrow('401');
  const basic = Buffer.from('trainer:secret').toString('base64');
  const polite = await openSocket(server, { headers: { authorization: `Basic ${basic}` } });
  polite.socket.send(JSON.stringify({ type: 'close' }));
  expect((await once(polite.socket, 'close'))[0]).toBe(1000);
  const greedy = await openSocket(server, { headers: { authorization: 'Bearer secret' } });
  greedy.socket.send(JSON.stringify({ type: 'step', data: { content: 'x'.repeat(2_000) } }));
  expect((await once(greedy.socket, 'close'))[0]).toBe(1009);
  await expect.poll(async () => (await ask('/health')).body.sessions).toBe(0);
});
