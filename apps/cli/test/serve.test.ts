import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createTrajectoryServer } from '@hermes/atropos';
import { freePort, rawRequest, startFakeTrainer } from '@hermes/atropos/testing';
import { scriptedModel } from '@hermes/protocol/testing';
import { describe, expect, it } from 'vitest';
import { hermes, inFolder, summaryOf } from './_run.ts';
import { tokenModel, trainingOptions } from './_training.ts';

const play = ['serve', 'sums', '--model', 'scripted', '--concurrency', '8'];

async function connected(baseUrl: string): Promise<string | undefined> {
  const { text } = await rawRequest(baseUrl, { path: '/metrics' });
  return /trajectory_connected_environments (\d+)/.exec(text)?.[1];
}

describe('hermes serve', () => {
  it('feeds a trainer until it has made its steps, and takes its leave', () =>
    inFolder(async (folder) => {
      await using api = await createTrajectoryServer({ port: 0 });
      const trainer = startFakeTrainer({ baseUrl: api.baseUrl, batchSize: 8, steps: 3 });
      const argv = [...play, '--trainer-url', api.baseUrl, '--out', 'groups.jsonl', '--json'];
      const ended = await hermes(argv, trainingOptions(folder));
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      expect(await trainer.done).toMatchObject({ steps: 3, sequences: 24, problems: [] });
      expect(await connected(api.baseUrl)).toBe('0');
      const summary = summaryOf(ended);
      expect(summary).toMatchObject({ type: 'summary', groups: { refused: {}, trainerLost: 0 } });
      const groups = (await readFile(join(folder, 'groups.jsonl'), 'utf8')).trim().split('\n');
      expect(groups).toHaveLength((summary.groups as { sent: number }).sent);
      expect(JSON.parse(groups[0] ?? '')).toMatchObject({ scores: [1, 0, 1, 0], trainable: true });
    }));

  it('runs the trajectory API itself, and stays until its trainer has fetched everything', () =>
    inFolder(async (folder) => {
      const baseUrl = `http://127.0.0.1:${await freePort()}`;
      const serving = hermes(
        [...play, '--trainer-url', baseUrl, '--with-trainer-api', '--eval-every', '2'],
        trainingOptions(folder),
      );
      while ((await rawRequest(baseUrl, { path: '/' }).catch(() => null)) === null);
      const trainer = startFakeTrainer({ baseUrl, batchSize: 8, steps: 5, pollMs: 50 });
      const { code, stdout, stderr } = await serving;
      expect({ code, stderr }).toMatchObject({ code: 0 });
      expect(await trainer.done).toMatchObject({ steps: 5, problems: [] });
      expect(stderr).toContain(`trajectory API: ${baseUrl}`);
      expect(stdout).toContain(
        'TRAINER Waiting for a trainer: it has to register (POST /register)',
      );
      expect(stdout).toContain('TRAINER The trainer has taken this environment in as sums_0');
      expect(stdout).toContain('SENT    sum-0 (rewards ');
      expect(stdout).toContain('EVAL    2 passed, 0 failed, 0 errored');
    }));

  it('reads the keys of older configurations', () =>
    inFolder(async (folder) => {
      await using api = await createTrajectoryServer({ port: 0 });
      const trainer = startFakeTrainer({ baseUrl: api.baseUrl, batchSize: 8 });
      await writeFile(
        join(folder, 'run.yaml'),
        [
          'env:',
          `  rollout_server_url: ${api.baseUrl}`,
          '  group_size: 2',
          '  wandb_name: adder',
          '  total_steps: 2',
          '  max_num_workers: 3',
          '  max_token_length: 64',
          '  inference_weight: 2',
          '  include_messages: true',
          '  steps_per_eval: -1',
          '  data_path_to_save_groups: groups.jsonl',
        ].join('\n'),
      );
      const argv = ['serve', 'sums', '--model', 'scripted', '--config', 'run.yaml'];
      const ended = await hermes(argv, trainingOptions(folder));
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      expect(ended.stdout).toContain('taken this environment in as adder_0');
      const report = await trainer.stop();
      expect(report.problems).toEqual([]);
      expect(report.steps).toBeGreaterThanOrEqual(2);
      const { body } = await rawRequest(api.baseUrl, { path: '/latest_example' });
      expect(body).toMatchObject({
        scores: [1, 0],
        messages: [
          [{ role: 'user' }, {}],
          [{}, {}],
        ],
      });
    }));

  it('takes its leave when it is told to end, and goes on with --resume', () =>
    inFolder(async (folder) => {
      await using api = await createTrajectoryServer({ port: 0 });
      await using trainer = startFakeTrainer({ baseUrl: api.baseUrl, batchSize: 8 });
      await trainer.started;
      const stop = new AbortController();
      const argv = [...play, '--trainer-url', api.baseUrl, '--run-dir', 'run'];
      const serving = hermes(argv, { ...trainingOptions(folder), signal: stop.signal });
      while (
        (await rawRequest(api.baseUrl, { path: '/status' })).text.includes('"current_step":0')
      );
      stop.abort(new Error('SIGTERM'));
      expect((await serving).code).toBe(130);
      expect(await connected(api.baseUrl)).toBe('0');
      const again = [...argv, '--resume', '--env.total_steps', '6', '--json'];
      const resumed = await hermes(again, trainingOptions(folder));
      expect(resumed.code).toBe(0);
      const lines = (await readFile(join(folder, 'run/groups.jsonl'), 'utf8')).trim().split('\n');
      const indices = lines.map((line) => JSON.parse(line).index);
      expect(new Set(indices).size).toBe(indices.length);
    }));
});

describe('what serve cannot do is one message', () => {
  it('a model that gives no tokens, known beforehand or found out', () =>
    inFolder(async (folder) => {
      await using api = await createTrajectoryServer({ port: 0 });
      await using trainer = startFakeTrainer({ baseUrl: api.baseUrl, batchSize: 8 });
      await trainer.started;
      const noop = ['serve', 'sums', '--model', 'noop', '--trainer-url', api.baseUrl];
      const known = await hermes(noop, trainingOptions(folder));
      expect(known.code).toBe(2);
      expect(known.stderr).toContain('nothing else can be trained on');
      const model = tokenModel(() => scriptedModel('1'));
      const argv = [...play, '--trainer-url', api.baseUrl];
      const found = await hermes(argv, trainingOptions(folder, { model }));
      expect(found.code).toBe(2);
      expect(found.stderr).toContain('The model scripted gives no token ids');
      expect(await connected(api.baseUrl)).toBe('0');
    }));

  it('no trainer in time', () =>
    inFolder(async (folder) => {
      const url = `http://127.0.0.1:${await freePort()}`;
      const argv = [...play, '--trainer-url', url, '--wait-for-trainer', '0.1'];
      const ended = await hermes(argv, trainingOptions(folder));
      expect(ended.code).toBe(1);
      expect(ended.stderr).toMatch(/^hermes: No trainer within 0 s: start one.*ECONNREFUSED.*\n$/);
    }));

  it('a port in use', () =>
    inFolder(async (folder) => {
      await using api = await createTrajectoryServer({ port: 0 });
      const argv = [
        ...play,
        '--trainer-url',
        api.baseUrl,
        '--with-trainer-api',
        '--run-dir',
        'run',
      ];
      const ended = await hermes(argv, trainingOptions(folder));
      expect(ended.code).toBe(2);
      expect(ended.stderr).toContain(`Port ${api.port} of 127.0.0.1 is in use`);
      expect(await readdir(folder)).toEqual([]); // the same command may come again
    }));

  it.each([
    ['nonsense', 200, '<html>hello</html>', 'Check the address'],
    ['a refusal', 403, '{"detail":"go away"}', 'go away'],
  ])('a trainer that answers %s', (_what, status, text, said) =>
    inFolder(async (folder) => {
      const server = createServer((_request, response) => response.writeHead(status).end(text));
      server.listen(0, '127.0.0.1');
      await new Promise((listening) => server.once('listening', listening));
      try {
        const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
        const ended = await hermes([...play, '--trainer-url', url], trainingOptions(folder));
        expect(ended.code).toBe(1);
        expect(ended.stderr).toContain(said);
        expect(ended.stderr.trim().split('\n')).toHaveLength(1);
      } finally {
        server.closeAllConnections();
        server.close();
      }
    }),
  );

  it('an address that is none, a token file that is not there, a resume of nothing', () =>
    inFolder(async (folder) => {
      const options = trainingOptions(folder);
      const bad = await hermes([...play, '--trainer-url', 'localhost:8000'], options);
      expect(bad).toMatchObject({ code: 2, stderr: expect.stringContaining('no http address') });
      const file = await hermes([...play, '--trainer-token-file', 'none'], options);
      expect(file).toMatchObject({ code: 2, stderr: expect.stringContaining('ENOENT') });
      const resume = await hermes([...play, '--resume'], options);
      expect(resume).toMatchObject({ code: 2, stderr: expect.stringContaining('--run-dir') });
    }));
});
