import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTrajectoryServer } from '@hermes/atropos';
import { rawRequest, startFakeTrainer } from '@hermes/atropos/testing';
import { describe, expect, it } from 'vitest';
import { hermes, inFolder } from './_run.ts';
import { whileServing } from './_serving.ts';

async function withApi<T>(
  argv: readonly string[],
  workingDirectory: string,
  work: (told: string) => Promise<T>,
): Promise<void> {
  const command = ['trainer-api', '--port', '0', ...argv];
  const { code } = await whileServing(command, { workingDirectory }, work);
  expect(code).toBe(130);
}

describe('hermes trainer-api', () => {
  it('serves trainers and environments until it is ended', () =>
    inFolder((folder) =>
      withApi([], folder, async (baseUrl) => {
        const trainer = startFakeTrainer({ baseUrl, batchSize: 4 });
        await trainer.started;
        expect((await rawRequest(baseUrl, { path: '/info' })).body).toMatchObject({
          batch_size: 4,
        });
        await trainer.stop();
      }),
    ));

  it('keeps its log through a restart, and wants its token', () =>
    inFolder(async (folder) => {
      await writeFile(join(folder, 'token'), 'secret\n', { mode: 0o600 });
      const argv = ['--log-dir', 'log', '--token-file', 'token', '--mode', 'strict', '--json'];
      const headers = { authorization: 'Bearer secret' };
      const body = {
        wandb_group: 'g',
        wandb_project: 'p',
        batch_size: 6,
        max_token_len: 9,
        checkpoint_dir: '',
        save_checkpoint_interval: 1,
        starting_step: 0,
        num_steps: 1,
      };
      await withApi(argv, folder, async (told) => {
        const { url, logDirectory } = JSON.parse(told);
        expect(logDirectory).toBe(join(folder, 'log'));
        expect((await rawRequest(url, { path: '/register', body })).status).toBe(401);
        expect((await rawRequest(url, { path: '/register', body, headers })).status).toBe(200);
      });
      await withApi(argv, folder, async (told) => {
        const { url } = JSON.parse(told);
        const info = await rawRequest(url, { path: '/info', headers });
        expect(info.body).toMatchObject({ batch_size: 6 });
      });
    }));

  it('says what it cannot do: a port in use, a log in use, a token file without a token', () =>
    inFolder(async (folder) => {
      const directory = join(folder, 'log');
      await using other = await createTrajectoryServer({ port: 0, directory });
      const ask = (...argv: string[]) =>
        hermes(['trainer-api', ...argv], { workingDirectory: folder });
      const port = await ask('--port', String(other.port));
      expect(port).toMatchObject({ code: 2, stderr: expect.stringContaining('is in use') });
      const log = await ask('--port', '0', '--log-dir', 'log');
      expect(log).toMatchObject({ code: 2, stderr: expect.stringContaining('log') });
      await writeFile(join(folder, 'token'), '\n', { mode: 0o600 });
      const token = await ask('--port', '0', '--token-file', 'token');
      expect(token).toMatchObject({ code: 2, stderr: expect.stringContaining('give a token') });
      const mode = await ask('--mode', 'lenient');
      expect(mode).toMatchObject({ code: 2, stderr: expect.stringContaining('compat, strict') });
    }));
});
