import { expect, it } from 'vitest';
import type { ChatEvent, ChatModel, ChatRequest, ModelCallContext } from '../src/index.ts';
import { fakeClock, scriptedModel, seededRandom } from '../src/testing/index.ts';

const request: ChatRequest = { messages: [{ role: 'user', content: 'Hi' }], sampling: {} };

const context = (signal = new AbortController().signal): ModelCallContext => ({
  signal,
  rolloutId: 'r1',
  invocationId: 'root',
  turn: 1,
  purpose: 'policy',
  split: 'eval',
});

async function ask(model: ChatModel, signal?: AbortSignal): Promise<readonly ChatEvent[]> {
  const events: ChatEvent[] = [];
  for await (const event of model.chat(request, context(signal))) events.push(event);
  return events;
}

async function text(model: ChatModel): Promise<unknown> {
  const last = (await ask(model)).at(-1);
  return last?.type === 'result' ? last.result.message.content : last;
}

it('says one turn for ever, a list in order, or what a function says', async () => {
  const one = scriptedModel('same');
  expect([await text(one), await text(one)]).toEqual(['same', 'same']);
  const list = scriptedModel(['first', { content: 'second' }]);
  expect([await text(list), await text(list)]).toEqual(['first', 'second']);
  const echo = scriptedModel(async ({ messages }, { turn }, call) =>
    [messages.length, turn, call].join(),
  );
  expect([await text(echo), await text(echo)]).toEqual(['1,1,0', '1,1,1']);
});

it('fails a call that the list has no turn for', async () => {
  await expect(ask(scriptedModel([]))).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: 'The script has 0 turns; call 1 was made.',
  });
});

it('remembers what it was asked, unless told to forget', async () => {
  const model = scriptedModel('ok');
  await ask(model);
  expect(model.calls).toMatchObject([{ request, context: { rolloutId: 'r1' } }]);
  const forgetful = scriptedModel('ok', { record: false });
  await ask(forgetful);
  expect(forgetful.calls).toEqual([]);
});

it('streams reasoning, text and the arguments of parallel calls side by side', async () => {
  const model = scriptedModel(
    {
      reasoning: 'Hm.',
      content: 'Look',
      calls: [
        { name: 'a', arguments: { x: 1 } },
        { id: 'mine', name: 'b', arguments: '[]' },
      ],
    },
    { deltaLength: 4 },
  );
  const events = await ask(model);
  expect(events.slice(1, -2)).toEqual([
    { type: 'reasoning_delta', text: 'Hm.' },
    { type: 'content_delta', text: 'Look' },
    { type: 'tool_call_start', index: 0, id: 'call_0_0', name: 'a' },
    { type: 'tool_call_start', index: 1, id: 'mine', name: 'b' },
    { type: 'tool_call_delta', index: 0, arguments: '{"x"' },
    { type: 'tool_call_delta', index: 1, arguments: '[]' },
    { type: 'tool_call_delta', index: 0, arguments: ':1}' },
  ]);
  expect(events.at(-1)).toMatchObject({
    type: 'result',
    result: {
      finishReason: 'tool_calls',
      message: { reasoning_content: 'Hm.', tool_calls: [{ id: 'call_0_0' }, { id: 'mine' }] },
      usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 },
      costUsd: null,
      tokens: null,
    },
  });
});

it('never splits a character between two deltas', async () => {
  const events = await ask(scriptedModel('a😀b😀', { deltaLength: 2 }));
  const texts = events.flatMap((event) => (event.type === 'content_delta' ? [event.text] : []));
  expect(texts.join('')).toBe('a😀b😀');
  for (const piece of texts) expect(piece).not.toMatch(/[\ud800-\udbff]$/);
});

it('streams nothing when told so', async () => {
  const events = await ask(scriptedModel('Done.', { deltaLength: 0 }));
  expect(events.map((event) => event.type)).toEqual(['attempt_start', 'attempt_end', 'result']);
});

it('plays attempts that fail before the one that counts', async () => {
  const events = await ask(scriptedModel({ content: 'ok', failedAttempts: ['RATE_LIMIT'] }));
  expect(events.map((event) => event.type)).toEqual([
    ...['attempt_start', 'content_delta', 'attempt_end'],
    ...['attempt_start', 'content_delta', 'attempt_end', 'result'],
  ]);
  expect(events[2]).toMatchObject({ attempt: { number: 1, error: { code: 'RATE_LIMIT' } } });
  expect(events[5]).toMatchObject({ attempt: { number: 2, error: null } });
});

it('throws the error of the script after its deltas', async () => {
  const seen: string[] = [];
  const model = scriptedModel({ content: 'half', error: 'STREAM_CUT' });
  const read = (async () => {
    for await (const event of model.chat(request, context())) seen.push(event.type);
  })();
  await expect(read).rejects.toMatchObject({ boundary: 'model', code: 'STREAM_CUT' });
  expect(seen).toEqual(['attempt_start', 'content_delta', 'attempt_end']);
});

it('waits by the clock, as long as the seed says', async () => {
  const clock = fakeClock();
  const latency = { minMs: 200, maxMs: 800, random: seededRandom(3) };
  const model = scriptedModel('ok', { clock, latency });
  const expected = 200 + 600 * seededRandom(3).next();
  const answer = ask(model);
  await clock.advance(expected - 1);
  expect(clock.sleeping()).toBe(1);
  await clock.advance(1);
  expect((await answer).at(-1)?.type).toBe('result');
});

it.each([
  ['while it waits', { content: 'late', latencyMs: 500 }],
  ['while it hangs', { content: 'half', hang: true }],
])('ends an aborted call %s', async (_name, answer) => {
  const controller = new AbortController();
  const call = ask(scriptedModel(answer), controller.signal);
  await new Promise(setImmediate);
  controller.abort();
  await expect(call).rejects.toMatchObject({ code: 'CANCELLED' });
});

it('makes no attempt for a call that was aborted before', async () => {
  await expect(ask(scriptedModel('ok'), AbortSignal.abort())).rejects.toMatchObject({
    code: 'CANCELLED',
  });
});

it('tells its name, what it can do and whether it was closed', async () => {
  const model = scriptedModel('ok', { modelId: 'm', capabilities: { contextTokens: 4096 } });
  expect(model).toMatchObject({ provider: 'scripted', modelId: 'm', closed: false });
  expect(model.capabilities).toMatchObject({ contextTokens: 4096, tokenIds: false });
  await model.close();
  expect(model.closed).toBe(true);
});
