import type { Message } from '@hermes/protocol';
import { expect, it } from 'vitest';
import { ask, context, openSession, WEATHER } from './_support/session.ts';
import { smallTokenizer } from './_support/small-tokenizer.ts';

const tokenizer = smallTokenizer();
const END = tokenizer.encode('<|im_end|>')[0] ?? -1;
const QUESTION: Message = { role: 'user', content: 'What is the weather?' };
const CALL = '<tool_call>\n{"name":"get_weather",  "arguments":{"city":"Paris"}}\n</tool_call>';

it('records a first answer as the prompt that was sent and the tokens that were sampled', async () => {
  const opened = await openSession(['hello there']);
  const result = await ask(opened, [QUESTION]);
  expect(result.message).toEqual({ role: 'assistant', content: 'hello there' });
  expect(result.finishReason).toBe('stop');
  const [segment] = opened.session.segments();
  expect(tokenizer.decode(segment?.ids ?? [])).toBe(
    '<|im_start|>user\nWhat is the weather?<|im_end|>\n<|im_start|>assistant\nhello there<|im_end|>',
  );
  expect(segment).toMatchObject({ openedBecause: 'start', source: 'engine', invocationId: 'root' });
});

it('goes on with a tool result without rendering the call again', async () => {
  const opened = await openSession([CALL, 'hello']);
  const first = await ask(opened, [QUESTION], { tools: [WEATHER] });
  expect(first.finishReason).toBe('tool_calls');
  const call = first.message.tool_calls?.[0];
  expect(call?.function).toEqual({ name: 'get_weather', arguments: '{"city":"Paris"}' });
  const result: Message = { role: 'tool', tool_call_id: call?.id ?? '', content: 'sunny' };
  await ask(opened, [QUESTION, first.message, result], { tools: [WEATHER] });
  const segments = opened.session.segments();
  expect(segments).toHaveLength(1);
  expect(tokenizer.decode(segments[0]?.ids ?? [])).toContain(
    `${CALL}<|im_end|>\n<|im_start|>user\n<tool_response>\nsunny\n</tool_response><|im_end|>\n<|im_start|>assistant\nhello<|im_end|>`,
  );
});

it('ends every turn once, whether the engine said so or not', async () => {
  const turns = [
    'hello',
    { text: 'hel', endsTurn: false, finish: { type: 'length' } },
    'hello',
  ] as const;
  const opened = await openSession([...turns]);
  const messages: Message[] = [QUESTION];
  for (const _ of turns) {
    const { message } = await ask(opened, messages);
    messages.push(message, { role: 'user', content: 'more' });
  }
  const [segment] = opened.session.segments();
  const ids = segment?.ids ?? [];
  const doubled = ids.filter((id, at) => id === END && ids[at + 1] === END);
  expect(doubled).toEqual([]);
  expect(ids.filter((id) => id === END)).toHaveLength(6);
});

it('tells the ids that a call would send, and records nothing by that', async () => {
  const opened = await openSession(['one', 'two']);
  const { engine, session } = opened;
  const messages: Message[] = [{ role: 'user', content: 'a' }];
  for (let turn = 0; turn < 2; turn += 1) {
    const before = session.segments();
    const told = session.promptIds({ messages, sampling: {} }, context.invocationId);
    expect(session.segments()).toEqual(before);
    messages.push((await ask(opened, messages)).message, { role: 'user', content: 'b' });
    expect(engine.questions.at(-1)?.ids).toEqual(told);
  }
  expect(() => session.promptIds({ messages: [], sampling: {} }, 'root')).toThrow(/no messages/);
});
