import { hermesParser } from '@hermes/parsers/hermes';
import { expect, it, onTestFinished } from 'vitest';
import {
  createManagedServer,
  type EngineDialect,
  openTokenEngine,
  type TokenEngineSettings,
} from '../src/index.ts';
import {
  type FakeEngineAnswer,
  type FakeEngineRequest,
  startFakeEngineServer,
} from '../src/testing/index.ts';
import { PROMPT, recorded, resultOf, transcript } from './_support/engines.ts';
import { smallTokenizer } from './_support/small-tokenizer.ts';

const VLLM_CHOICE = {
  index: 0,
  token_ids: [7],
  prompt_token_ids: [0],
  logprobs: { token_logprobs: [-1] },
  finish_reason: 'length',
};

type Routes = Readonly<Record<string, FakeEngineAnswer>>;

async function start(
  routes: Routes | ((request: FakeEngineRequest) => FakeEngineAnswer | undefined),
) {
  const server = await startFakeEngineServer((request) =>
    typeof routes === 'function' ? routes(request) : routes[request.path],
  );
  onTestFinished(() => server.close());
  return server;
}

async function open(url: string, settings: Partial<TokenEngineSettings> = {}) {
  const opened = await openTokenEngine({ baseUrl: url, maxAttempts: 1, ...settings });
  onTestFinished(() => opened.engine.close?.());
  return opened;
}

/** What each kind of server answers to the questions at the start. */
const SERVERS: Readonly<Record<string, Routes>> = {
  vllm: {
    '/version': { body: { version: '0.32.0' } },
    '/v1/models': { body: { data: [{ id: 'tiny', max_model_len: 1024 }] } },
    '/v1/completions': { events: [{ choices: [VLLM_CHOICE] }] },
  },
  sglang: {
    '/get_model_info': { body: { model_path: '/models/tiny' } },
    '/v1/models': { body: { data: [{ id: 'tiny', max_model_len: 1024 }] } },
    '/generate': {
      events: [
        {
          output_ids: [7],
          meta_info: { finish_reason: { type: 'length' }, output_token_logprobs: [[-1, 7, null]] },
        },
      ],
    },
  },
  llama_cpp: {
    '/props': { body: { total_slots: 2 } },
    '/v1/models': { body: { data: [{ id: 'tiny', meta: { n_vocab: 384, n_ctx: 1024 } }] } },
    '/completion': {
      body: { tokens: [7], completion_probabilities: [{ id: 7, logprob: -1 }], stop_type: 'limit' },
    },
  },
  trl: {
    '/get_world_size/': { body: { world_size: 1 } },
    '/generate/': {
      body: {
        prompt_ids: [[0]],
        completion_ids: [[7]],
        logprobs: [[[-1]]],
        logprob_token_ids: [[[7]]],
      },
    },
  },
  openai: {
    '/v1/models': { body: { data: [{ id: 'tiny', max_model_len: 1024 }] } },
    '/v1/completions': { body: { choices: [VLLM_CHOICE] } },
  },
};

it.each(Object.keys(SERVERS))('finds out that a server is of type %s', async (serverType) => {
  const server = await start(SERVERS[serverType] ?? {});
  const { engine, server: facts } = await open(`${server.url}/v1`);
  expect(facts?.serverType).toBe(serverType);
  expect(engine.id).toBe(serverType);
  expect(engine.modelId).toBe(serverType === 'trl' ? 'default' : 'tiny');
  expect(engine.capabilities.contextTokens).toBe(serverType === 'trl' ? null : 1024);
});

it('takes one /v1 off the end of an address and nothing else', async () => {
  const server = await start(({ path }) => SERVERS.vllm?.[path.replace('/v1/engines', '')]);
  await open(`${server.url}/v1/engines/v1/`, { serverType: 'vllm' });
  expect(server.requests.map(({ path }) => path)).toEqual([
    '/v1/engines/v1/models',
    '/v1/engines/v1/completions',
  ]);
});

it('does not take it for an engine without log-probs that it has none of the piece of a character', async () => {
  let asked = 0;
  const piece = { tokens: [179], stop_type: 'limit' };
  const letter = { ...piece, completion_probabilities: [{ id: 179, logprob: -1 }] };
  const server = await start(({ path }) => {
    if (path !== '/completion') return undefined;
    asked += 1;
    return { body: asked < 3 ? piece : letter };
  });
  await open(server.url, { serverType: 'llama_cpp' });
  expect(asked).toBe(3);
});

it('refuses at the start a server that gives no token ids', async () => {
  const choice = { index: 0, text: 'x', logprobs: null, finish_reason: 'length' };
  const server = await start({ '/v1/completions': { body: { choices: [choice] } } });
  await expect(open(server.url)).rejects.toMatchObject({
    code: 'TOKENS_MISSING',
    message: expect.stringContaining('cannot be trained on'),
  });
});

it('says at the start that nobody is there, or that the key is wrong', async () => {
  await expect(open('http://127.0.0.1:9')).rejects.toMatchObject({ code: 'CONNECTION' });
  const server = await start(() => ({ status: 401, body: { error: 'Unauthorized' } }));
  await expect(open(server.url)).rejects.toMatchObject({ code: 'AUTH' });
});

it('names a setting that is wrong, without its value', async () => {
  const wrong = { baseUrl: 'localhost:8000', apiKey: 'sk-secret', sorverType: 'vllm' };
  const error = await openTokenEngine(wrong).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'CONFIG' });
  expect(String(error)).toMatch(/baseUrl.*sorverType/s);
  expect(String(error)).not.toContain('sk-secret');
});

const tokenizer = smallTokenizer();

it('accepts a tokenizer that reads as the server does', async () => {
  const server = await start(({ path, body }) =>
    path === '/tokenize'
      ? { body: { tokens: tokenizer.encode(String(Reflect.get(Object(body), 'prompt'))) } }
      : SERVERS.vllm?.[path],
  );
  const { engine } = await open(server.url);
  await expect(
    createManagedServer({ engine, tokenizer, parser: hermesParser }),
  ).resolves.toBeDefined();
});

it('does not ask a server again that cannot read texts', async () => {
  const server = await start(SERVERS.vllm ?? {});
  const { engine } = await open(server.url);
  await expect(
    createManagedServer({ engine, tokenizer, parser: hermesParser }),
  ).resolves.toBeDefined();
});

it('says what differs when a tokenizer is not the one of the served model', async () => {
  const [info] = (await transcript('vllm-info')).filter(
    ({ request }) => request.path === '/tokenize',
  );
  if (info === undefined) throw new Error('the transcript has no such step');
  const server = await start(({ path }) =>
    path === '/tokenize' ? recorded(info) : SERVERS.vllm?.[path],
  );
  const { engine } = await open(server.url);
  await expect(
    createManagedServer({ engine, tokenizer, parser: hermesParser }),
  ).rejects.toMatchObject({
    code: 'CONFIG',
    message: expect.stringMatching(/token 0 is 0 \("<\|endoftext\|>"\) here and 341/),
  });
});

it('says when a tokenizer has more tokens than the served model', async () => {
  const server = await start(SERVERS.llama_cpp ?? {});
  const { engine } = await open(server.url, { vocabularySize: 100 });
  await expect(
    createManagedServer({ engine, tokenizer, parser: hermesParser }),
  ).rejects.toMatchObject({
    code: 'CONFIG',
    message: expect.stringContaining(`it has ${tokenizer.vocabularySize} tokens, the model 100`),
  });
});

it('refuses an answer to another prompt than the one that was sent', async () => {
  const server = await start({
    ...SERVERS.vllm,
    '/v1/completions': { events: [{ choices: [{ ...VLLM_CHOICE, prompt_token_ids: PROMPT }] }] },
  });
  const { engine } = await open(server.url, { serverType: 'vllm' });
  const { tokenize: _, ...untold } = engine;
  const managed = await createManagedServer({ engine: untold, tokenizer, parser: hermesParser });
  const context = {
    signal: new AbortController().signal,
    rolloutId: 'r',
    invocationId: 'root',
    turn: 1,
    purpose: 'policy',
    split: 'train',
  } as const;
  const session = managed.openSession('r');
  const call = session.choices(
    { messages: [{ role: 'user', content: 'hi' }], sampling: {} },
    1,
    context,
  );
  await expect(call).rejects.toMatchObject({
    code: 'TOKENS_INVALID',
    message: expect.stringContaining('another prompt'),
  });
  expect(session.segments()).toEqual([]);
});

it('takes a kind of server that it does not know', async () => {
  const server = await start(({ body, path }) =>
    path === '/say'
      ? { body: { said: Reflect.get(Object(body), 'tokens').slice(0, 1), by: -2 } }
      : undefined,
  );
  const dialect: EngineDialect = {
    name: 'parrot',
    abort: 'connection',
    takesMany: () => false,
    question: ({ ids }) => ({ method: 'POST', path: '/say', body: { tokens: ids } }),
    readAnswer(body) {
      const ids: readonly number[] = Reflect.get(Object(body), 'said');
      const logprobs: readonly number[] = [Reflect.get(Object(body), 'by')];
      const output = { ids, logprobs, finish: { type: 'length' }, weightVersion: null } as const;
      return { outputs: [output], promptIds: null, cachedTokens: null };
    },
  };
  const { engine } = await openTokenEngine({ baseUrl: server.url }, { dialect });
  onTestFinished(() => engine.close?.());
  expect((await resultOf(engine, { ids: [5, 6] })).outputs[0]).toMatchObject({
    ids: [5],
    logprobs: [-2],
  });
});
