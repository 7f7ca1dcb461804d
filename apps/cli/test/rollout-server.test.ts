import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startFakeOpenAiServer } from '@hermes/model-openai/testing';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../src/index.ts';
import { hermes, inFolder } from './_run.ts';
import { trainingOptions } from './_training.ts';

// biome-ignore lint/suspicious/noExplicitAny: the tests say themselves what they expect
type Ask = (path: string, body?: object, token?: string) => Promise<any>;

/** Starts the command, does the work, and ends it. */
function withServer<T>(
  flags: readonly string[],
  work: (ask: Ask, baseUrl: string) => Promise<T>,
): Promise<T> {
  return inFolder(async (folder) => {
    await writeFile(join(folder, 'token'), 'secret\n', { mode: 0o600 });
    const stop = new AbortController();
    let tell: (text: string) => void = () => undefined;
    const told = new Promise<string>((resolve) => {
      tell = (text) => resolve(text.trim());
    });
    const argv = ['rollout-server', 'sums', '--model', 'scripted', '--port', '0', ...flags];
    const running = hermes(argv, {
      ...trainingOptions(folder),
      stdout: { write: (text) => tell(text), isTerminal: false, columns: 80 },
      signal: stop.signal,
    });
    try {
      const baseUrl = await told;
      const ask: Ask = async (path, body, token = 'secret') => {
        const headers = { authorization: `Bearer ${token}` };
        const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
        return (await fetch(`${baseUrl}${path}`, { headers, ...sent })).json();
      };
      return await work(ask, baseUrl);
    } finally {
      stop.abort();
      expect((await running).code).toBe(exitCodes.interrupted);
    }
  });
}

describe('hermes rollout-server', () => {
  it('plays items with the model of the command, in tokens', () =>
    withServer([], async (ask) => {
      const { rollouts } = await ask('/rollouts', { item_id: 'sum-3', n: 2 });
      expect(rollouts.map(({ reward }: { reward: number }) => reward)).toEqual([1, 0]);
      expect(rollouts[0]).toMatchObject({ trainable: true, item_id: 'sum-3' });
      expect(rollouts[0].logprobs).toHaveLength(rollouts[0].response_ids.length);
      expect((await ask('/environments')).environments).toMatchObject([{ id: 'sums' }]);
    }));

  it('plays with the endpoint that a request brings, and tells what is wrong with it', () =>
    withServer([], async (ask) => {
      const endpoint = await startFakeOpenAiServer({ answers: [{ content: '8' }] });
      try {
        const model = { base_url: endpoint.baseUrl, model: 'policy', api_key: 'k' };
        const { rollouts } = await ask('/rollouts', { index: 4, model });
        expect(rollouts).toMatchObject([{ reward: 1, trainable: false }]);
      } finally {
        await endpoint.close();
      }
      const messageOf = async (model: object) =>
        (await ask('/rollouts', { index: 0, model })).error.message;
      expect(await messageOf({ base: 'x' })).toContain('model.base: not known; there is base_url');
      expect(await messageOf({ model: 'x' })).toContain('model.base_url: needed');
      expect(await messageOf({ base_url: 1 })).toContain('model.base_url: a text is wanted');
      expect(await messageOf({ base_url: 'gw:1' })).toContain('http or https address');
    }));

  it('lets a trainer generate itself, over OpenEnv', () =>
    withServer([], async (ask) => {
      const { observation } = await ask('/reset', { index: 5 });
      expect(observation.messages).toEqual([{ role: 'user', content: '5 + 5?' }]);
      expect(await ask('/step', { action: { content: '10' } })).toMatchObject({
        reward: 1,
        done: true,
      });
    }));

  it('asks for its token', () =>
    withServer(['--token-file', 'token'], async (ask) => {
      expect((await ask('/environments', undefined, 'other')).error.code).toBe('unauthorized');
      expect((await ask('/environments')).environments).toHaveLength(1);
    }));

  it.each([
    [['--host', '0.0.0.0'], '0.0.0.0 is reached by others: give a token'],
    [['--port', '99999'], 'cannot listen on 127.0.0.1:99999'],
  ])('is not started with %j', (flags, message) =>
    inFolder(async (folder) => {
      const argv = ['rollout-server', 'sums', '--model', 'scripted', ...flags];
      const ended = await hermes(argv, trainingOptions(folder));
      expect(ended.code).toBe(exitCodes.wrongUsage);
      expect(ended.stderr).toContain(message);
    }),
  );

  it('wants an isolated sandbox whatever model the command names, since callers bring others', () =>
    inFolder(async (folder) => {
      const argv = ['rollout-server', 'smoke', '--model', 'noop', '--config', 'run.yaml'];
      const settings = 'env:\n  terminal_backend: local\n  sandbox: {isolation: none}\n';
      await writeFile(join(folder, 'run.yaml'), settings);
      const ended = await hermes(argv, { workingDirectory: folder });
      expect(ended.code).toBe(exitCodes.wrongUsage);
      expect(ended.stderr).toContain('without isolation');
    }));
});
