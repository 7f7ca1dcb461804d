import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startFakeOpenAiServer } from '@hermes/model-openai/testing';
import { describe, expect, it } from 'vitest';
import { withEngines } from './_engines.ts';
import { hermes, inFolder } from './_run.ts';
import { whileServing } from './_serving.ts';

type Answer = Readonly<{ status: number; body: ReturnType<typeof JSON.parse> }>;

/** A gateway on any port, and a way to ask it. Returns what it said on stderr. */
async function withGateway(
  argv: readonly string[],
  workingDirectory: string,
  work: (
    ask: (method: string, path: string, body?: object, key?: string) => Promise<Answer>,
    told: Readonly<{ url: string; model: string | null; givesTokens: boolean | null }>,
  ) => Promise<void>,
  environmentVariables: Readonly<Record<string, string>> = {},
): Promise<string> {
  const options = { workingDirectory, environmentVariables };
  const command = ['gateway', '--port', '0', '--json', ...argv];
  const { code, stderr } = await whileServing(command, options, (line) => {
    const told = JSON.parse(line);
    return work(async (method, path, body, key) => {
      const headers = key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const response = await fetch(told.url + path, { method, ...headers, ...sent });
      return { status: response.status, body: await response.json() };
    }, told);
  });
  expect(code).toBe(130);
  return stderr;
}

const sum = { messages: [{ role: 'user', content: '2 + 2?' }], max_tokens: 50 };
const CHAT = '/v1/chat/completions';

describe('hermes gateway', () => {
  it('records what an engine was sent and what it sampled', () =>
    withEngines(['vllm'], ([server], folder) => {
      const engine = ['--base-url', server.url, '--server-type', 'vllm', '--tokenizer', 'model'];
      return withGateway(engine, folder, async (ask, told) => {
        expect(told).toMatchObject({ model: 'tiny', givesTokens: true });
        const { body } = await ask('POST', `/one${CHAT}`, sum);
        expect(body.choices[0].message.content).toBe('4');
        const [{ prompt = [], ids = [], logprobs = [] } = {}] = server.sampled;
        expect((await ask('GET', '/one/nodes')).body.nodes).toMatchObject([
          {
            tokens: [...prompt, ...ids],
            masked_tokens: [...prompt.map(() => -100), ...ids],
            logprobs: [...prompt.map(() => 1), ...logprobs],
          },
        ]);
        expect((await ask('GET', '/servers')).body.servers).toMatchObject([{ healthy: true }]);
      });
    }));

  it('opens sessions with a parser and at a server of their own, and says what there is not', () =>
    withEngines(['vllm', 'sglang'], async ([first, second], folder) => {
      const server = (url: string, kind: string) =>
        `  - { base_url: ${url}, server_type: ${kind}, tokenizer_name: model }\n`;
      await writeFile(
        join(folder, 'run.yaml'),
        `openai:\n${server(first.url, 'vllm')}${server(second.url, 'sglang')}`,
      );
      await withGateway(['--config', 'run.yaml'], folder, async (ask) => {
        const create = (body: object) => ask('POST', '/sessions/create', body);
        await create({ session_id: 'two', base_url: second.url, tool_parser: 'mistral' });
        await ask('POST', `/two${CHAT}`, sum);
        expect([first.sampled.length, second.sampled.length]).toEqual([0, 1]);
        const [node] = (await ask('GET', '/two/nodes')).body.nodes;
        expect(node.tokens).toEqual([
          ...(second.sampled[0]?.prompt ?? []),
          ...(second.sampled[0]?.ids ?? []),
        ]);
        const parser = await create({ tool_parser: 'mistrel' });
        expect(parser.status).toBe(400);
        expect(parser.body.error.message).toContain('Did you mean mistral?');
        const place = await create({ base_url: 'http://127.0.0.1:1' });
        expect(place.status).toBe(400);
        expect(place.body.error.message).toContain(first.url);
      });
    }));

  it('is set up later, and with other servers, to which no key of its own goes', () =>
    withEngines(['sglang'], ([server], folder) =>
      withGateway(
        [],
        folder,
        async (ask, told) => {
          expect(told).toMatchObject({ model: null, givesTokens: null });
          expect((await ask('POST', `/one${CHAT}`, sum)).status).toBe(503);
          const servers = [{ base_url: server.url, server_type: 'sglang' }];
          const setup = { model_name: 'tiny', tokenizer_name: 'model', servers };
          expect(await ask('POST', '/setup', setup)).toMatchObject({ status: 200 });
          await ask('POST', `/one${CHAT}`, sum);
          expect((await ask('GET', '/one/nodes')).body.nodes).toHaveLength(1);
          expect(server.requests.some(({ headers }) => headers.authorization)).toBe(false);
          for (const [place, kind, said] of [
            [server.url, 'sglong', 'did you mean sglang?'],
            [server.url, 'trl', 'answered 404'],
            ['http://127.0.0.1:1', 'vllm', 'No connection to the engine'],
          ]) {
            const wrong = { ...setup, servers: [{ base_url: place, server_type: kind }] };
            expect((await ask('POST', '/setup', wrong)).body.error.message).toContain(said);
          }
          expect((await ask('POST', `/one${CHAT}`, sum)).status).toBe(200);
        },
        { OPENAI_API_KEY: 'sk-of-the-gateway' },
      ),
    ));

  it('lets agents talk to an endpoint without token ids, and says that nothing is recorded', () =>
    inFolder(async (folder) => {
      const server = await startFakeOpenAiServer({ answers: [{ content: 'hi' }] });
      try {
        const argv = ['--model', 'openai:fake', '--base-url', server.baseUrl];
        const said = await withGateway(argv, folder, async (ask, told) => {
          expect(told).toMatchObject({ model: 'fake', givesTokens: false });
          const { body } = await ask('POST', `/one${CHAT}`, sum);
          expect(body.choices[0].message.content).toBe('hi');
          expect((await ask('GET', '/one/nodes')).status).toBe(501);
        });
        expect(said).toMatch(
          /^note: fake gives no token ids: agents get their answers, and nothing is recorded/,
        );
      } finally {
        await server.close();
      }
    }));

  it('asks for its token, and gives agents a key of their session', () =>
    inFolder(async (folder) => {
      await writeFile(join(folder, 'token'), 'secret\n', { mode: 0o600 });
      await withGateway(['--token-file', 'token'], folder, async (ask) => {
        expect((await ask('GET', '/sessions')).status).toBe(401);
        expect((await ask('GET', '/sessions', undefined, 'secret')).status).toBe(200);
      });
    }));

  it.each([
    ['a model that plays tasks', ['--model', 'oracle'], /unknown model 'oracle'.*llama, openai/],
    ['a host without a token', ['--host', '0.0.0.0'], /give a token/],
    ['an address of nobody', ['--base-url', 'localhost:8000'], /no http or https address/],
    ['a file that is not there', ['--model', 'llama:no.gguf'], /There is no file/],
    ['an unknown key', ['--openai.server_tipe', 'vllm'], /server_type/],
    ['a flag of runs', ['--max-turns', '3'], /--max-turns/],
  ])('ends with 2 for %s', (_what, argv, said) =>
    inFolder(async (folder) => {
      const options = { workingDirectory: folder };
      const ended = await hermes(['gateway', '--port', '0', ...argv], options);
      expect(ended).toMatchObject({ code: 2, stdout: '' });
      expect(ended.stderr).toMatch(said);
    }),
  );
});
