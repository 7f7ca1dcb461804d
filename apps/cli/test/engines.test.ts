import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startFakeOpenAiServer } from '@hermes/model-openai/testing';
import { describe, expect, it } from 'vitest';
import type { EngineKind } from './_engine-speeches.ts';
import { type ScriptedServer, withEngines } from './_engines.ts';
import { recordsIn } from './_live.ts';
import { hermes, inFolder, summaryOf } from './_run.ts';
import { trainingOptions } from './_training.ts';

const process = ['process', 'sums', '--limit', '2', '--out', 'out.jsonl', '--env.tokenizer_name'];
const tokens = [...process, 'model', '--format', 'tokens'];

type Line = Readonly<{ model: string; tokens: number[]; masks: number[]; logprobs: number[] }>;

async function linesOf(folder: string): Promise<readonly Line[]> {
  const text = await readFile(join(folder, 'out.jsonl'), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** The lines are what the server was sent and what it sampled, to the token. */
function expectExact(lines: readonly Line[], { sampled }: Pick<ScriptedServer, 'sampled'>): void {
  const expected = sampled.map(({ prompt, ids, logprobs }) => ({
    tokens: [...prompt, ...ids],
    masks: [...prompt.map(() => -100), ...ids],
    logprobs: [...prompt.map(() => 1), ...logprobs],
  }));
  const found = lines.map(({ tokens, masks, logprobs }) => ({ tokens, masks, logprobs }));
  expect(found).toEqual(expect.arrayContaining(expected));
  expect(found).toHaveLength(expected.length);
}

const RUNPOD = ['--openai.server_type', 'runpod', '--openai.runpod_worker', 'sglang'];
const kinds: readonly (readonly [EngineKind, string, readonly string[]])[] = [
  ['vllm', '', ['--openai.server_type', 'vllm']],
  ['openai', '/v1', ['--openai.server_type', 'openai']],
  ['sglang', '/v1', ['--server-type', 'sglang']],
  ['trl', '', ['--openai.server_type', 'trl']],
  ['llama_cpp', '', ['--openai.server_type', 'llama_cpp']],
  ['atropos_vllm', '', ['--openai.server_type', 'atropos_vllm']],
  ['runpod_queue', '/v2/abc', RUNPOD],
  ['runpod_gateway', '/v2/abc/openai/v1', [...RUNPOD, '--no-stream']],
];

describe('hermes process with a server that gives token ids', () => {
  it.each(kinds)('writes what %s at %s sampled', (kind, path, flags) =>
    withEngines([kind], async ([server], folder) => {
      const argv = [...tokens, '--base-url', server.url + path, '--model', 'openai:tiny', ...flags];
      const ended = await hermes(argv, trainingOptions(folder));
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      expectExact(await linesOf(folder), server);
    }),
  );
});

it('finds out what a server is where tokens are needed and nobody has said it', () =>
  withEngines(['sglang'], async ([server], folder) => {
    const argv = [...tokens, '--base-url', server.url, '--model', 'openai:tiny'];
    const ended = await hermes(argv, trainingOptions(folder));
    expect(ended.code).toBe(0);
    expect(ended.stderr).toBe(
      `note: the endpoint ${server.url}/v1 answers as sglang; --openai.server_type sglang takes it for that without asking\n`,
    );
    expectExact(await linesOf(folder), server);
  }));

it('evaluates in tokens where the kind is said, with the model that the server lists', () =>
  withEngines(['vllm'], async ([server], folder) => {
    const argv = ['evaluate', 'sums', '--limit', '2', '--run-dir', 'run', '--env.tokenizer_name'];
    const engine = ['model', '--base-url', server.url, '--server-type', 'vllm'];
    const switches = ['--extra-body', '{"chat_template_kwargs": {"enable_thinking": false}}'];
    const ended = await hermes(
      [...argv, ...engine, ...switches, '--json'],
      trainingOptions(folder),
    );
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(summaryOf(ended)).toMatchObject({ passed: 2, errored: 0 });
    expect(await recordsIn(folder)).toMatchObject([
      { trainable: true, identity: { model: { provider: 'vllm', modelId: 'tiny' } } },
      { trainable: true },
    ]);
  }));

it('takes kinds, keys and the tokenizer from a file with a list of servers', () =>
  withEngines(['vllm', 'sglang'], async ([first, second], folder) => {
    const server = (url: string, kind: string) =>
      `  - { base_url: ${url}, server_type: ${kind}, model_name: tiny, api_key: x, tokenizer_name: model }\n`;
    const servers = server(first.url, 'vllm') + server(second.url, 'sglang');
    await writeFile(join(folder, 'run.yaml'), `openai:\n${servers}`);
    const argv = ['process', 'sums', '--out', 'out.jsonl', '--format', 'tokens', '--limit', '8'];
    const ended = await hermes([...argv, '--config', 'run.yaml'], trainingOptions(folder));
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect([first.sampled.length, second.sampled.length]).not.toContain(0);
    expectExact(await linesOf(folder), { sampled: [...first.sampled, ...second.sampled] });
    for (const { headers } of first.requests) expect(headers.authorization).toBe('Bearer x');
  }));

it('still asks the chat API of an endpoint where nobody has said a kind and words are enough', () =>
  inFolder(async (folder) => {
    const server = await startFakeOpenAiServer({ answers: [{ content: '0' }] });
    try {
      const argv = ['process', 'sums', '--limit', '1', '--out', 'out.jsonl', '--model'];
      const ended = await hermes(
        [...argv, 'openai:fake', '--base-url', server.baseUrl],
        trainingOptions(folder),
      );
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      expect(server.requests.map(({ path }) => path)).toContain('/v1/chat/completions');
    } finally {
      await server.close();
    }
  }));
