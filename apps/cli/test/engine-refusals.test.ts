import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { freePort } from '@hermes/atropos/testing';
import { createEffects, loadRunConfig } from '@hermes/env-core';
import { startFakeOpenAiServer } from '@hermes/model-openai/testing';
import { describe, expect, it } from 'vitest';
import { openEngine } from '../src/engines/open-engine.ts';
import { endpointOf } from '../src/openai/endpoint.ts';
import { withEngines } from './_engines.ts';
import { hermes, inFolder } from './_run.ts';
import { trainingOptions } from './_training.ts';

const serve = ['serve', 'sums', '--model', 'openai:tiny'];
const vllm = ['--openai.server_type', 'vllm'];

/** One sentence, exit code 2, and nothing left behind. */
async function refusal(argv: readonly string[], folder: string): Promise<string> {
  const before = await readdir(folder);
  const { code, stdout, stderr } = await hermes(argv, trainingOptions(folder));
  expect({ code, stdout, lines: stderr.trim().split('\n').length }).toEqual({
    code: 2,
    stdout: '',
    lines: 1,
  });
  expect(await readdir(folder)).toEqual(before);
  return stderr;
}

describe('an engine that cannot be used ends the command before anything runs', () => {
  it('when it gives no token ids', () =>
    inFolder(async (folder) => {
      const server = await startFakeOpenAiServer({ answers: [{ content: '0' }] });
      try {
        const endpoint = ['--base-url', server.baseUrl];
        for (const kind of [[], ['--openai.server_type', 'openai']]) {
          const said = await refusal([...serve, ...endpoint, ...kind], folder);
          expect(said).toMatch(/gives no token ids, and nothing else can be trained on: serve/);
        }
        expect(await refusal([...serve, ...endpoint, ...vllm], folder)).toMatch(
          /answered 404.*check the base URL, the kind of server/,
        );
      } finally {
        await server.close();
      }
    }));

  it('when the tokenizer is that of another model', () =>
    withEngines(['vllm'], async ([server], folder) => {
      await cp(join(folder, 'model'), join(folder, 'other'), { recursive: true });
      const file = join(folder, 'other', 'tokenizer.json');
      const tokenizer = JSON.parse(await readFile(file, 'utf8'));
      tokenizer.model.merges = [];
      await writeFile(file, JSON.stringify(tokenizer));
      const argv = [...serve, ...vllm, '--base-url', server.url, '--tokenizer'];
      expect(await refusal([...argv, 'other'], folder)).toMatch(
        /tokenizer does not fit the model "tiny".*here and .*there.*--env.tokenizer_name/,
      );
    }));

  it('when the tokenizer has no chat template', () =>
    withEngines(['vllm'], async ([server], folder) => {
      await mkdir(join(folder, 'bare'));
      await cp(join(folder, 'model/tokenizer.json'), join(folder, 'bare/tokenizer.json'));
      const argv = [...serve, ...vllm, '--base-url', server.url, '--tokenizer', 'bare'];
      expect(await refusal(argv, folder)).toContain('chat_template.jinja beside tokenizer.json');
    }));

  it('when no tokenizer is named and none goes by the name of the model', () =>
    withEngines(['vllm'], async ([server], folder) => {
      const argv = [...serve, ...vllm, '--base-url', server.url];
      expect(await refusal(argv, folder)).toMatch(
        /by the name of the model 'tiny' .*: name one with --env.tokenizer_name/,
      );
      expect(await refusal([...argv, '--tokenizer', './nowhere'], folder)).toMatch(
        /'\.\/nowhere' is no tokenizer: There is no .*nowhere/,
      );
    }));

  it('when it is not there, or wants a key', () =>
    inFolder(async (folder) => {
      const server = createServer((_request, response) => response.writeHead(401).end('{}'));
      await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      try {
        expect(await refusal([...serve, ...vllm, '--base-url', url], folder)).toContain(
          'wants a key: set OPENAI_API_KEY',
        );
      } finally {
        server.close();
      }
      expect(await refusal([...serve, '--base-url', url], folder)).toMatch(
        /No connection to the engine .*start the server/,
      );
    }));

  it.each([
    [
      'a kind that there is not',
      ['--openai.server_type', 'vlm'],
      /is none of openai, .*did you mean vllm\?/,
    ],
    [
      'a queue of which nobody knows what it runs',
      ['--openai.server_type', 'runpod'],
      /--openai.runpod_worker vllm or sglang/,
    ],
    [
      'the address of a queue alone',
      ['--base-url', 'https://api.runpod.ai/v2/abc/openai'],
      /--openai.runpod_worker/,
    ],
  ])('for %s', (_what, flags, said) =>
    inFolder(async (folder) => {
      expect(await refusal([...serve, ...flags], folder)).toMatch(said);
    }),
  );

  it('when the request has a body that no engine takes', () =>
    withEngines(['vllm'], async ([server], folder) => {
      const argv = [...serve, ...vllm, '--base-url', server.url, '--tokenizer', 'model'];
      expect(await refusal([...argv, '--extra-body', '{"guided_json": {}}'], folder)).toContain(
        'guided_json cannot be said to an engine in tokens',
      );
    }));

  it('when it listens and says nothing', async () => {
    const server = createServer(() => undefined);
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const [settings] = (await loadRunConfig()).servers;
    if (settings === undefined) throw new Error('no server is configured');
    const endpoint = endpointOf({ ...settings, baseUrl: url, serverType: 'vllm' }, 'tiny', {});
    const { signal } = new AbortController();
    const request = { effects: createEffects({}, 0), note: () => undefined, signal };
    try {
      await expect(openEngine(endpoint, request, 50)).rejects.toMatchObject({
        boundary: 'config',
        message: expect.stringContaining('gave no token within 0.05 s'),
      });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});

it('an engine that is away is left out, as long as another one is there', () =>
  withEngines(['vllm'], async ([server], folder) => {
    const urls = ['--base-url', server.url, '--base-url', `http://127.0.0.1:${await freePort()}`];
    const argv = ['process', 'sums', '--limit', '1', '--format', 'tokens', '--out', 'out.jsonl'];
    const engine = ['--model', 'openai:tiny', ...vllm, '--tokenizer', 'model', ...urls];
    const ended = await hermes([...argv, '--group-size', '2', ...engine], trainingOptions(folder));
    expect(ended.code).toBe(0);
    expect(ended.stderr).toMatch(
      /^note: left out: No connection to the engine at http:\/\/127.0.0.1:\d+ .*\n$/,
    );
  }));
