import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createTrajectoryClient, createTrajectoryServer } from '../src/index.ts';
import { rawRequest } from '../src/testing/index.ts';
import { batchMarks, startRun, wireGroup } from './_support/wire-run.ts';

it('a port in use is named, with what to do', async () => {
  await using first = await createTrajectoryServer({ port: 0 });
  await expect(createTrajectoryServer({ port: first.port })).rejects.toMatchObject({
    code: 'PORT_IN_USE',
    message: expect.stringContaining(String(first.port)),
  });
});

it('a port that is none is named', async () => {
  await expect(createTrajectoryServer({ port: 99_999 })).rejects.toMatchObject({
    code: 'CONFIG',
    message: expect.stringContaining('Cannot listen on 127.0.0.1:99999'),
  });
});

it('closes more than once', async () => {
  const server = await createTrajectoryServer({ port: 0 });
  await Promise.all([server.close(), server.close()]);
  await expect(rawRequest(server.baseUrl, { path: '/' })).rejects.toThrow();
});

it('takes no more than its queue may hold, and goes on when there is room', async () => {
  await using server = await createTrajectoryServer({ port: 0, maxQueueBytes: 800 });
  await startRun(server.baseUrl);
  const send = (mark: number) =>
    rawRequest(server.baseUrl, { path: '/scored_data', body: wireGroup(mark, 2) });
  await send(1);
  await send(2);
  const full = await send(3);
  expect(full.status).toBe(503);
  expect(full.headers['retry-after']).toBe('1');
  expect(await batchMarks(server.baseUrl)).toEqual([1, 2]);
  expect((await send(3)).status).toBe(200);
});

it('serves only those who bear its token, where it has one', async () => {
  await using server = await createTrajectoryServer({ port: 0, token: 'secret-1' });
  const ask = (headers: Record<string, string>, path = '/status') =>
    rawRequest(server.baseUrl, { path, headers });
  expect((await ask({})).status).toBe(401);
  expect((await ask({ authorization: 'Bearer secret-2' })).body).toEqual({
    detail: expect.stringContaining('Authorization: Bearer'),
  });
  expect((await ask({ authorization: 'secret-1' }, '/metrics')).status).toBe(401);
  expect((await ask({ authorization: 'Bearer secret-1' })).status).toBe(200);
  const large = Buffer.alloc(100_000, 'x');
  const sent = await rawRequest(server.baseUrl, { path: '/scored_data', body: large });
  expect(sent.status).toBe(401);
  const { signal } = new AbortController();
  for (const token of ['secret-1', 'secret-2']) {
    const client = createTrajectoryClient({ baseUrl: server.baseUrl, token });
    const info = client.trainerInfo(signal);
    if (token === 'secret-1') expect(await info).toMatchObject({ batchSize: null });
    else await expect(info).rejects.toMatchObject({ code: 'REFUSED', retryable: false });
    client.close();
  }
});

describe('a body', () => {
  it('that is too large is refused, zipped or not', async () => {
    await using server = await createTrajectoryServer({ port: 0, maxBodyBytes: 1000 });
    const body = Buffer.from(JSON.stringify({ text: 'x'.repeat(5000) }));
    const plain = await rawRequest(server.baseUrl, { path: '/scored_data', body });
    const zipped = await rawRequest(server.baseUrl, {
      path: '/scored_data',
      body: gzipSync(body),
      headers: { 'content-encoding': 'gzip' },
    });
    expect([plain.status, zipped.status]).toEqual([413, 413]);
  });

  it('that is no UTF-8, or nested without end, is refused', async () => {
    await using server = await createTrajectoryServer({ port: 0 });
    const bodies = [Buffer.from([0x22, 0xff, 0x22]), Buffer.from('['.repeat(100_000))];
    for (const body of bodies) {
      const answer = await rawRequest(server.baseUrl, { path: '/scored_data_list', body });
      expect([400, 422]).toContain(answer.status);
    }
  });

  const broken: Readonly<Record<string, readonly [string, number, string]>> = {
    'a value is missing': ['{"tokens":', 10, 'Expecting value'],
    'a key is missing': ['{"tokens":[],}', 13, 'Expecting property name enclosed in double quotes'],
    'a colon is missing': ['{"tokens" []}', 10, "Expecting ':' delimiter"],
    'a comma is missing': ['{"tokens":[1 2]}', 13, "Expecting ',' delimiter"],
    'something follows': ['{} {}', 3, 'Extra data'],
    'a string does not end': ['{"tok', 1, 'Unterminated string starting at'],
    'an escape is none': ['{"a\\x":1}', 3, 'Invalid \\escape'],
  };
  for (const [what, [body, position, error]] of Object.entries(broken))
    it(`says where it is broken: ${what}`, async () => {
      await using server = await createTrajectoryServer({ port: 0 });
      const answer = await rawRequest(server.baseUrl, { path: '/scored_data', body });
      expect(answer).toMatchObject({
        status: 422,
        body: { detail: [{ type: 'json_invalid', loc: ['body', position], ctx: { error } }] },
      });
    });
});

it('zips a large batch for those who take that', async () => {
  await using server = await createTrajectoryServer({ port: 0 });
  await startRun(server.baseUrl);
  const long = { ...wireGroup(1, 4), env_id: null, generation_params: { text: 'x'.repeat(5000) } };
  await rawRequest(server.baseUrl, { path: '/scored_data', body: long });
  const answer = await rawRequest(server.baseUrl, {
    path: '/batch',
    headers: { 'accept-encoding': 'gzip' },
  });
  expect(answer.headers['content-encoding']).toBe('gzip');
  expect(answer.body).toMatchObject({ batch: [{ scores: [0, 1, 2, 3] }] });
});

it('tells its numbers as Prometheus reads them', async () => {
  await using server = await createTrajectoryServer({ port: 0 });
  await startRun(server.baseUrl);
  for (const mark of [1, 2, 3])
    await rawRequest(server.baseUrl, { path: '/scored_data', body: wireGroup(mark, 2) });
  await rawRequest(server.baseUrl, { path: '/scored_data', body: '{}' });
  await batchMarks(server.baseUrl);
  const { text } = await rawRequest(server.baseUrl, { path: '/metrics' });
  for (const line of [
    'trajectory_groups_received_total 3',
    'trajectory_groups_refused_total 1',
    'trajectory_batches_handed_out_total 1',
    'trajectory_queued_groups 1',
    'trajectory_queued_sequences 2',
    'trajectory_step 1',
  ])
    expect(text).toContain(`\n${line}\n`);
});

it('keeps each number as it came, and makes floats of what is declared as floats', async () => {
  await using server = await createTrajectoryServer({ port: 0 });
  const body =
    '{"tokens":[[1, 2.0 ,"3",true]],"masks":[[-100,2,3,1]],"scores":[1],' +
    '"inference_logprobs":[[1,-0.10000000000000001,-1e-7,"-2"]],"generation_params":{"t":1.0, "s":" a "}}';
  await rawRequest(server.baseUrl, { path: '/scored_data', body });
  const { text } = await rawRequest(server.baseUrl, { path: '/latest_example' });
  expect(text).toContain('"tokens":[[1,2,3,1]]');
  expect(text).toContain('"scores":[1.0]');
  expect(text).toContain('"inference_logprobs":[[1.0,-0.10000000000000001,-1e-7,-2.0]]');
  expect(text).toContain('"generation_params":{"t":1.0,"s":" a "}');
});
