import { expect, it } from 'vitest';
import {
  type FakeAnswer,
  type FakeOpenAiServer,
  type FakeServerScript,
  perConversation,
  scriptFromJson,
  startFakeOpenAiServer,
} from '../src/testing/index.ts';

// What a client sees that knows nothing of this repository.

async function post(server: FakeOpenAiServer, body: unknown, headers: Record<string, string> = {}) {
  const url = `${server.baseUrl}/chat/completions`;
  return await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function contentOf(response: Response): Promise<unknown> {
  const body = JSON.parse(await response.text());
  return body.choices?.[0]?.message?.content;
}

it('plays a list in order of arrival, and refuses what is beyond its end', async () => {
  await using server = await startFakeOpenAiServer({ answers: ['one', { content: 'two' }] });
  expect(await contentOf(await post(server, {}))).toBe('one');
  expect(await contentOf(await post(server, {}))).toBe('two');
  const third = await post(server, {});
  expect([third.status, await third.text()]).toEqual([400, expect.stringContaining('2 answers')]);
});

it('records each request and what became of its answer', async () => {
  await using server = await startFakeOpenAiServer({ answers: ['Hi there'] });
  const arrived = server.nextRequest();
  await (await post(server, { model: 'm', stream: true }, { authorization: 'Bearer k' })).text();
  const request = await arrived;
  await request.ended;
  expect(request).toMatchObject({
    number: 1,
    path: '/v1/chat/completions',
    headers: { authorization: 'Bearer k' },
    body: { model: 'm', stream: true },
    state: 'finished',
    chunksSent: 5,
  });
  expect(server.requests).toEqual([request]);
});

it('streams a chunk a word, the finish reason, the usage where it is asked for, and [DONE]', async () => {
  await using server = await startFakeOpenAiServer({ answers: () => 'one two' });
  const plain = await (await post(server, { stream: true })).text();
  const asked = { stream: true, stream_options: { include_usage: true } };
  const counted = await (await post(server, asked)).text();
  const chunks = (text: string) => text.split('\n\n').slice(0, -1);
  expect(chunks(plain)).toHaveLength(5);
  expect(chunks(counted)).toHaveLength(6);
  expect(chunks(counted).at(-1)).toBe('data: [DONE]');
  expect(chunks(counted).at(-2)).toContain('"usage":{"prompt_tokens":');
});

it.each([
  ['another key', { apiKey: 'right' }, 401],
  ['another model', { models: ['tiny'] }, 404],
] as const)('refuses %s', async (_what, script: Partial<FakeServerScript>, status) => {
  await using server = await startFakeOpenAiServer({ answers: ['Hi'], ...script });
  expect((await post(server, { model: 'm' }, { authorization: 'Bearer wrong' })).status).toBe(
    status,
  );
});

it('lists its models and is healthy', async () => {
  await using server = await startFakeOpenAiServer({ answers: [], models: ['tiny'] });
  const list = JSON.parse(await (await fetch(`${server.baseUrl}/models`)).text());
  expect(list.data).toEqual([{ id: 'tiny', object: 'model' }]);
  expect((await fetch(server.baseUrl.replace('/v1', '/health'))).status).toBe(200);
  expect((await fetch(`${server.baseUrl}/nothing`)).status).toBe(404);
});

it.each<[string, FakeAnswer]>([
  ['reset', { fault: 'reset' }],
  ['cut', { content: 'one two three', fault: 'cut' }],
])('breaks the connection: %s', async (_fault, answer) => {
  await using server = await startFakeOpenAiServer({ answers: [answer] });
  const reading = post(server, { stream: true }).then((response) => response.text());
  await expect(reading).rejects.toThrow();
  expect(server.requests[0]?.state).toBe('broken');
});

it('tells that a script has failed, and goes on', async () => {
  let isBroken = true;
  await using server = await startFakeOpenAiServer({
    answers: () => {
      if (isBroken) throw new Error('no such turn');
      return 'Hi';
    },
  });
  const failed = await post(server, {});
  expect([failed.status, await failed.text()]).toEqual([
    500,
    expect.stringContaining('no such turn'),
  ]);
  isBroken = false;
  expect(await contentOf(await post(server, {}))).toBe('Hi');
});

it('closes while answers hang, and closes twice', async () => {
  const server = await startFakeOpenAiServer({ answers: () => ({ fault: 'hang' }) });
  const arrived = server.nextRequest();
  const hanging = post(server, {});
  await (await arrived).standsStill;
  await Promise.all([server.close(), expect(hanging).rejects.toThrow()]);
  await server.close();
});

it('says that a port is taken', async () => {
  await using server = await startFakeOpenAiServer({ answers: [] });
  const port = Number(new URL(server.baseUrl).port);
  await expect(startFakeOpenAiServer({ answers: [], port })).rejects.toThrow(/EADDRINUSE/);
});

const turn = (text: string, assistants: number) => ({
  messages: [
    { role: 'user', content: text },
    ...Array(assistants).fill({ role: 'assistant', content: '' }),
  ],
});

it('plays the same script to many conversations side by side', async () => {
  await using server = await startFakeOpenAiServer({
    answers: perConversation(['first', 'second']),
  });
  const asked = [turn('a', 0), turn('b', 0), turn('a', 1), turn('b', 1)];
  const answers = await Promise.all(asked.map(async (body) => contentOf(await post(server, body))));
  expect(answers).toEqual(['first', 'first', 'second', 'second']);
  expect((await post(server, turn('a', 2))).status).toBe(400);
});

it('plays a script from a file: rules by what a conversation holds', async () => {
  const rules = [{ when: 'say "hi"', answers: ['hi'] }];
  await using server = await startFakeOpenAiServer({
    answers: scriptFromJson({ rules, answers: ['else'] }),
  });
  expect(await contentOf(await post(server, turn('Please say "hi".', 0)))).toBe('hi');
  expect(await contentOf(await post(server, turn('Please do.', 0)))).toBe('else');
  expect(() => scriptFromJson({ rules: [{}] })).toThrow(/list of answers/);
});
