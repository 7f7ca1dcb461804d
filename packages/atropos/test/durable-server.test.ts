import { appendFile, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTrajectoryServer } from '../src/index.ts';
import { rawRequest } from '../src/testing/index.ts';
import { inFolder } from './_support/in-folder.ts';
import { batchMarks, startRun, wireGroup } from './_support/wire-run.ts';

// a loaded disk may take long for a sync
describe('a server with a directory', { timeout: 30_000 }, () => {
  it('goes on where the last one ended: queue, buffer, environments, step', () =>
    inFolder(async (directory) => {
      {
        await using server = await createTrajectoryServer({ port: 0, directory });
        await startRun(server.baseUrl);
        for (const mark of [1, 2, 3])
          await rawRequest(server.baseUrl, { path: '/scored_data', body: wireGroup(mark, 2) });
        await rawRequest(server.baseUrl, { path: '/scored_data', body: wireGroup(4, 1) });
        expect(await batchMarks(server.baseUrl)).toEqual([1, 2]);
      }
      await using server = await createTrajectoryServer({ port: 0, directory });
      const { baseUrl } = server;
      expect((await rawRequest(baseUrl, { path: '/status' })).body).toEqual({
        current_step: 1,
        queue_size: 1,
      });
      expect(
        (await rawRequest(baseUrl, { path: '/scored_data', body: wireGroup(5, 1) })).body,
      ).toEqual({
        status: 'buffered',
        buffer_size: 0,
      });
      expect(await batchMarks(baseUrl)).toEqual([3, 4, 5]);
      const joined = await rawRequest(baseUrl, { path: '/register-env', body: environment });
      expect(joined.body).toMatchObject({ env_id: 1, wandb_name: 'x_1', starting_step: 2 });
    }));

  it('leaves out what was cut off in the middle, and nothing else', () =>
    inFolder(async (directory) => {
      {
        await using server = await createTrajectoryServer({ port: 0, directory });
        await startRun(server.baseUrl);
        for (const mark of [1, 2])
          await rawRequest(server.baseUrl, { path: '/scored_data', body: wireGroup(mark, 2) });
      }
      const log = join(directory, 'trajectories.log');
      const { size } = await stat(log);
      await appendFile(log, (await readFile(log)).subarray(0, 40));
      await using server = await createTrajectoryServer({ port: 0, directory });
      expect((await stat(log)).size).toBe(size);
      expect(await batchMarks(server.baseUrl)).toEqual([1, 2]);
    }));

  it('takes a group back that was cut off before it was acknowledged', () =>
    inFolder(async (directory) => {
      {
        await using server = await createTrajectoryServer({ port: 0, directory });
        await startRun(server.baseUrl);
        for (const mark of [1, 2])
          await rawRequest(server.baseUrl, { path: '/scored_data', body: wireGroup(mark, 2) });
      }
      const log = join(directory, 'trajectories.log');
      await truncate(log, (await stat(log)).size - 5);
      await using server = await createTrajectoryServer({ port: 0, directory });
      expect((await rawRequest(server.baseUrl, { path: '/status' })).body).toMatchObject({
        queue_size: 1,
      });
    }));

  it('refuses a log that is damaged in the middle, and says where', () =>
    inFolder(async (directory) => {
      const good = '{"type":"start","parts":0}\n';
      await writeFile(join(directory, 'trajectories.log'), `${good}nonsense\n${good}`);
      await expect(createTrajectoryServer({ port: 0, directory })).rejects.toMatchObject({
        code: 'LOG_DAMAGED',
        message: expect.stringContaining(`after byte ${good.length}`),
      });
    }));

  it('refuses a directory that another server uses, and takes over from a dead one', () =>
    inFolder(async (directory) => {
      {
        await using _first = await createTrajectoryServer({ port: 0, directory });
        await expect(createTrajectoryServer({ port: 0, directory })).rejects.toMatchObject({
          code: 'LOG_IN_USE',
        });
      }
      await writeFile(join(directory, 'lock'), '4194304 12345');
      await using _second = await createTrajectoryServer({ port: 0, directory });
    }));

  it.each(['/proc/nothing/below', '/dev/null'])(
    'says that nothing can be kept in %s',
    async (directory) => {
      await expect(createTrajectoryServer({ port: 0, directory })).rejects.toMatchObject({
        code: 'CONFIG',
        message: expect.stringMatching(/cannot hold the trajectory log: E.*Choose another one/),
      });
    },
  );

  it('makes its folder and those above it', () =>
    inFolder(async (folder) => {
      const directory = join(folder, 'new/log');
      await using _server = await createTrajectoryServer({ port: 0, directory });
      expect((await stat(directory)).isDirectory()).toBe(true);
    }));

  it('keeps its log as short as its queue', () =>
    inFolder(async (directory) => {
      const options = { port: 0, directory, rewriteBytes: 4096 };
      {
        await using server = await createTrajectoryServer(options);
        await startRun(server.baseUrl);
        for (let mark = 0; mark < 60; mark += 1) {
          await rawRequest(server.baseUrl, { path: '/scored_data', body: wireGroup(mark, 2) });
          if (mark % 2 === 1) expect(await batchMarks(server.baseUrl)).toHaveLength(2);
        }
        await rawRequest(server.baseUrl, { path: '/scored_data', body: wireGroup(500, 2) });
      }
      expect((await stat(join(directory, 'trajectories.log'))).size).toBeLessThan(12_000);
      await using server = await createTrajectoryServer(options);
      await rawRequest(server.baseUrl, { path: '/scored_data', body: wireGroup(501, 2) });
      expect(await batchMarks(server.baseUrl)).toEqual([500, 501]);
    }));

  it('answers a repeated send as the first one, also after a restart', () =>
    inFolder(async (directory) => {
      const send = (baseUrl: string) =>
        rawRequest(baseUrl, {
          path: '/scored_data',
          body: wireGroup(1, 2),
          headers: { 'idempotency-key': 'send-1' },
        });
      {
        await using server = await createTrajectoryServer({ port: 0, directory });
        await startRun(server.baseUrl);
        await Promise.all([send(server.baseUrl), send(server.baseUrl)]);
      }
      await using server = await createTrajectoryServer({ port: 0, directory });
      expect((await send(server.baseUrl)).body).toEqual({ status: 'received' });
      expect((await rawRequest(server.baseUrl, { path: '/status' })).body).toMatchObject({
        queue_size: 1,
      });
    }));
});

it('a batch whose trainer hung up in the middle goes to the next one who asks', {
  timeout: 30_000,
}, async () => {
  await using server = await createTrajectoryServer({ port: 0 });
  await startRun(server.baseUrl);
  const long = {
    ...wireGroup(1, 4),
    env_id: null,
    generation_params: { text: 'x'.repeat(20_000_000) },
  };
  await rawRequest(server.baseUrl, { path: '/scored_data', body: long });
  await hangUpInTheMiddle(server.port);
  await returned(server.baseUrl);
  expect(await batchMarks(server.baseUrl)).toEqual([1]);
  expect((await rawRequest(server.baseUrl, { path: '/status' })).body).toMatchObject({
    current_step: 1,
  });
});

const environment = { max_token_length: 512, desired_name: 'x', weight: 1, group_size: 2 };

/** Reads the first bytes of a batch, then nothing more. */
function hangUpInTheMiddle(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write('GET /batch HTTP/1.1\r\nHost: x\r\n\r\n');
    });
    socket.once('data', () => {
      socket.destroy();
      resolve();
    });
    socket.once('error', reject);
  });
}

async function returned(baseUrl: string): Promise<void> {
  for (;;) {
    const { text } = await rawRequest(baseUrl, { path: '/metrics' });
    if (text.includes('batches_returned_total 1')) return;
  }
}
