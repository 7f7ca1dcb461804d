import type { ChatRequest, JsonObject } from '@hermes/protocol';
import { expect, it } from 'vitest';
import { createOpenAiModel, type OpenAiModelSettings } from '../src/index.ts';
import { startFakeOpenAiServer } from '../src/testing/index.ts';
import { play, QUESTION } from './_support/play.ts';

/** What the server is sent for a request. */
async function sent(request: Partial<ChatRequest>, settings: Partial<OpenAiModelSettings> = {}) {
  await using server = await startFakeOpenAiServer({ answers: ['Hi'] });
  const model = createOpenAiModel({ baseUrl: server.baseUrl, model: 'tiny', ...settings });
  const { error } = await play(model, { ...QUESTION, ...request });
  const [seen] = server.requests;
  return { error, body: seen?.body ?? {}, path: seen?.path, headers: seen?.headers ?? {} };
}

const BARE: JsonObject = { model: 'tiny', messages: QUESTION.messages as never };
const STREAMED = { stream: true, stream_options: { include_usage: true } };

it('sends nothing that was not asked for', async () => {
  expect((await sent({ tools: [] })).body).toEqual({ ...BARE, ...STREAMED });
  expect((await sent({}, { stream: false })).body).toEqual(BARE);
  expect((await sent({}, { streamUsage: false })).body).toEqual({ ...BARE, stream: true });
});

it('sends all sampling fields under the names of the common servers', async () => {
  const sampling = {
    temperature: 0,
    topP: 0.9,
    topK: 40,
    minP: 0.05,
    maxTokens: 100,
    seed: 7,
    stop: ['END'],
    frequencyPenalty: 0.1,
    presencePenalty: 0.2,
    repetitionPenalty: 1.1,
  };
  expect((await sent({ sampling })).body).toEqual({
    ...BARE,
    ...STREAMED,
    temperature: 0,
    top_p: 0.9,
    top_k: 40,
    min_p: 0.05,
    max_tokens: 100,
    seed: 7,
    stop: ['END'],
    frequency_penalty: 0.1,
    presence_penalty: 0.2,
    repetition_penalty: 1.1,
  });
});

it('limits the answer by the field that the server knows', async () => {
  const { body } = await sent(
    { sampling: { maxTokens: 5 } },
    { maxTokensField: 'max_completion_tokens' },
  );
  expect(body).toMatchObject({ max_completion_tokens: 5 });
  expect(body).not.toHaveProperty('max_tokens');
});

it('sends tools and which of them to use', async () => {
  const tools = [{ type: 'function', function: { name: 'now', description: 'd' } }] as const;
  expect((await sent({ tools })).body).toMatchObject({ tools });
  expect((await sent({ tools, toolChoice: 'required' })).body).toMatchObject({
    tool_choice: 'required',
  });
  expect((await sent({ tools, toolChoice: { name: 'now' } })).body).toMatchObject({
    tool_choice: { type: 'function', function: { name: 'now' } },
  });
});

it('gives the template its arguments, and extraBody the last word', async () => {
  const { body } = await sent({
    sampling: { temperature: 1 },
    templateArguments: { enable_thinking: false },
    extraBody: { temperature: 0.5, provider: { order: ['x'] } },
  });
  expect(body).toMatchObject({
    chat_template_kwargs: { enable_thinking: false },
    temperature: 0.5,
    provider: { order: ['x'] },
  });
});

it.each([
  [undefined, { reasoning_content: 'Hm' }],
  ['reasoning', { reasoning: 'Hm' }],
  [null, {}],
] as const)(
  'sends the reasoning of earlier turns as reasoningField %s says',
  async (reasoningField, expected) => {
    const messages = [
      ...QUESTION.messages,
      { role: 'assistant', content: '18', reasoning_content: 'Hm' } as const,
      { role: 'user', content: 'Sure?' } as const,
    ];
    const { body } = await sent(
      { messages },
      reasoningField === undefined ? {} : { reasoningField },
    );
    expect(body.messages).toEqual([
      messages[0],
      { role: 'assistant', content: '18', ...expected },
      messages[2],
    ]);
  },
);

it('says which invocation asks, and carries the headers of the settings', async () => {
  const { headers, path } = await sent({}, { headers: { 'X-Team': 'blue' } });
  expect(path).toBe('/v1/chat/completions');
  expect(headers).toMatchObject({ 'x-session-id': 'root', 'x-team': 'blue' });
  expect(headers).not.toHaveProperty('authorization');
});

it.each(['/rollouts/rollout-1', 'rollouts/rollout-1/'])(
  'tells a capturing server the rollout by the path: %s',
  async (prefix) => {
    const gatewayPath = (id: string) => prefix.replace('rollout-1', id);
    expect((await sent({}, { gatewayPath })).path).toBe('/rollouts/rollout-1/v1/chat/completions');
  },
);

it('refuses an image where the model takes none, before anything is sent', async () => {
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } } as const;
  const messages = [{ role: 'user', content: [image] } as const];
  expect((await sent({ messages })).body.messages).toEqual(messages);
  const { body, error } = await sent({ messages }, { images: false });
  expect([error?.code, body]).toEqual(['UNSUPPORTED', {}]);
});

it('does not change the request', async () => {
  const request = structuredClone({ ...QUESTION, sampling: { temperature: 1 } });
  const before = structuredClone(request);
  await sent(request);
  expect(request).toEqual(before);
});
