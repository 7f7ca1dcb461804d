import { getParser } from '@hermes/parsers';
import type { AssistantMessage, Message } from '@hermes/protocol';
import { expect, it } from 'vitest';
import { createManagedServer } from '../src/index.ts';
import { ask, context, type Opened, openSession, resultOf, WEATHER } from './_support/session.ts';
import { smallTokenizer } from './_support/small-tokenizer.ts';
import { CALL_BLIND, CHATML, MOVING_TOOLS } from './_support/templates.ts';

const tokenizer = smallTokenizer();
const SYSTEM: Message = { role: 'system', content: 'Be brief.' };
const user = (content: string): Message => ({ role: 'user', content });
const CALL = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>';

function reasons({ session }: Opened): readonly string[] {
  return session.segments().map(({ openedBecause }) => openedBecause);
}

/** The text that was sampled, segment by segment. */
function trained({ session }: Opened): readonly string[] {
  return session
    .segments()
    .map(({ ids, mask }) => tokenizer.decode(ids.filter((_, at) => mask[at] !== -100)));
}

it('opens no segment for a conversation that only grows', async () => {
  const opened = await openSession(['one', 'two', 'three']);
  const messages: Message[] = [SYSTEM];
  for (const content of ['a', 'b', 'c']) {
    messages.push(user(content));
    messages.push((await ask(opened, messages)).message);
  }
  expect(reasons(opened)).toEqual(['start']);
  expect(trained(opened)).toEqual(['one<|im_end|>two<|im_end|>three<|im_end|>']);
});

it('opens a segment when the history was shortened', async () => {
  const opened = await openSession(['one', 'two', 'three']);
  const first = await ask(opened, [SYSTEM, user('a')]);
  const second = await ask(opened, [SYSTEM, user('a'), first.message, user('b')]);
  await ask(opened, [SYSTEM, user('what was: a'), second.message, user('c')]);
  expect(reasons(opened)).toEqual(['start', 'history_rewritten']);
  expect(trained(opened)).toEqual(['one<|im_end|>two<|im_end|>', 'three<|im_end|>']);
});

it('opens a segment when an earlier answer was dropped', async () => {
  const opened = await openSession(['one', 'two']);
  await ask(opened, [user('a')]);
  await ask(opened, [user('a'), user('summary')]);
  expect(reasons(opened)).toEqual(['start', 'history_rewritten']);
});

it('opens a segment when an earlier question was edited', async () => {
  const opened = await openSession(['one', 'two']);
  const { message } = await ask(opened, [user('a')]);
  await ask(opened, [user('A'), message, user('b')]);
  expect(reasons(opened)).toEqual(['start', 'history_rewritten']);
});

it('opens a segment when somebody else speaks for the model', async () => {
  const opened = await openSession(['one', 'two', 'three']);
  const { message } = await ask(opened, [user('a')]);
  const foreign: AssistantMessage = { role: 'assistant', content: 'I never said that' };
  await ask(opened, [user('a'), message, user('b'), foreign, user('c')]);
  await ask(opened, [user('a'), foreign, user('b')]);
  expect(reasons(opened)).toEqual(['start', 'unknown_assistant_text', 'unknown_assistant_text']);
});

it('opens a segment when the tools or the switches of the template changed', async () => {
  const opened = await openSession(['one', 'two', 'three']);
  const first = await ask(opened, [user('a')]);
  const messages = [user('a'), first.message, user('b')];
  await ask(opened, messages, { tools: [WEATHER] });
  await ask(opened, messages, { templateArguments: { enable_thinking: false } });
  expect(reasons(opened)).toEqual(['start', 'tools_changed', 'tools_changed']);
});

it('opens a segment for another answer to the same question, with the same prompt', async () => {
  const opened = await openSession(['one', 'two', 'three']);
  const first = await ask(opened, [user('a')]);
  await ask(opened, [user('a')]);
  await ask(opened, [user('a'), first.message, user('b')]);
  expect(reasons(opened)).toEqual(['start', 'branch']);
  expect(trained(opened)).toEqual(['one<|im_end|>three<|im_end|>', 'two<|im_end|>']);
});

it('branches off behind an answer with the tokens as they were sampled', async () => {
  const cut = { ids: [...'hello'].flatMap((letter) => tokenizer.encode(letter)) };
  const opened = await openSession([cut, 'left', 'right']);
  const first = await ask(opened, [user('a')]);
  await ask(opened, [user('a'), first.message, user('b')]);
  await ask(opened, [user('a'), first.message, user('c')]);
  expect(reasons(opened)).toEqual(['start', 'branch']);
  const [one, other] = opened.session.segments();
  const shared = first.tokens?.end ?? 0;
  expect(other?.ids.slice(0, shared)).toEqual(one?.ids.slice(0, shared));
  expect(other?.mask.slice(0, shared)).toEqual(one?.mask.slice(0, shared));
  expect(first.message.content).toBe('hello');
});

it('gives the first of several answers the segment and each other a branch', async () => {
  const opened = await openSession(['start', 'one', 'two', 'three', 'four', 'on']);
  const before = await ask(opened, [user('a')]);
  const messages = [user('a'), before.message, user('b')];
  const results = await opened.session.choices({ messages, sampling: {} }, 4, context);
  expect(results.map(({ message }) => message.content)).toEqual(['one', 'two', 'three', 'four']);
  expect(reasons(opened)).toEqual(['start', 'branch', 'branch', 'branch']);
  const third = results[2]?.message;
  if (third === undefined) throw new Error('there is no third answer');
  const next = await ask(opened, [...messages, third, user('c')]);
  expect(next.tokens?.segment).toBe(2);
  expect(trained(opened)[2]).toBe('start<|im_end|>three<|im_end|>on<|im_end|>');
});

it('keeps calls that run at once apart', async () => {
  const opened = await openSession(['base', 'one', 'two']);
  const { message } = await ask(opened, [user('a')]);
  const request = (content: string) => ({
    messages: [user('a'), message, user(content)],
    sampling: {},
  });
  await Promise.all(['b', 'b'].map((content) => resultOf(opened.session, request(content))));
  expect(reasons(opened)).toEqual(['start', 'branch']);
  expect(trained(opened)).toEqual(['base<|im_end|>one<|im_end|>', 'base<|im_end|>two<|im_end|>']);
});

it('keeps subagents apart from their parent', async () => {
  const opened = await openSession(['one', 'two']);
  await ask(opened, [user('a')]);
  await ask(opened, [user('a')], {}, { invocationId: 'root.child-1' });
  expect(opened.session.segments().map(({ invocationId }) => invocationId)).toEqual([
    'root',
    'root.child-1',
  ]);
  expect(reasons(opened)).toEqual(['start', 'start']);
});

it('forgets when it is told to, and keeps what was recorded', async () => {
  const opened = await openSession(['one', 'two']);
  const { message } = await ask(opened, [user('a')]);
  opened.session.reset();
  await ask(opened, [user('a'), message, user('b')]);
  expect(reasons(opened)).toEqual(['start', 'session_reset']);
});

it('records nothing of what a judge or a compaction asks', async () => {
  const opened = await openSession(['one', 'a summary', 'two']);
  const { message } = await ask(opened, [user('a')]);
  const summary = await ask(
    opened,
    [user('a'), message, user('sum up')],
    {},
    { purpose: 'compaction' },
  );
  expect(summary.tokens).toBeNull();
  await ask(opened, [user('a'), message, user('b')]);
  expect(reasons(opened)).toEqual(['start']);
});

it('knows its call again when the agent wrote its arguments anew', async () => {
  const opened = await openSession([CALL, 'sunny']);
  const { message } = await ask(opened, [user('a')], { tools: [WEATHER] });
  const calls = (message.tool_calls ?? []).map((call) => ({
    ...call,
    function: { ...call.function, arguments: '{}' },
  }));
  const result: Message = { role: 'tool', tool_call_id: calls[0]?.id ?? '', content: 'sun' };
  await ask(opened, [user('a'), { role: 'assistant', content: null, tool_calls: calls }, result], {
    tools: [WEATHER],
  });
  expect(reasons(opened)).toEqual(['start']);
  expect(trained(opened)).toEqual([`${CALL}<|im_end|>sunny<|im_end|>`]);
});

it('goes on behind a broken call for which the agent put one of its own', async () => {
  const opened = await openSession([
    '<tool_call>\n{"name": "get_weather", "argu\n</tool_call>',
    'sorry',
  ]);
  const broken = await ask(opened, [user('a')], { tools: [WEATHER] });
  expect(broken.notes.some(({ level }) => level === 'error')).toBe(true);
  const message: AssistantMessage = {
    ...broken.message,
    tool_calls: [
      { id: 'made-up', type: 'function', function: { name: 'get_weather', arguments: '{}' } },
    ],
  };
  const result: Message = { role: 'tool', tool_call_id: 'made-up', content: 'bad JSON' };
  await ask(opened, [user('a'), message, result], { tools: [WEATHER] });
  expect(reasons(opened)).toEqual(['start']);
});

it('goes on behind a call that the template itself would leave out', async () => {
  const blind = smallTokenizer(CALL_BLIND);
  const opened = await openSession([CALL, 'sunny'], { tokenizer: blind });
  const { message } = await ask(opened, [user('a')], { tools: [WEATHER] });
  const id = message.tool_calls?.[0]?.id ?? '';
  await ask(opened, [user('a'), message, { role: 'tool', tool_call_id: id, content: 'sun' }], {
    tools: [WEATHER],
  });
  expect(reasons(opened)).toEqual(['start']);
  const text = blind.decode(opened.session.segments()[0]?.ids ?? []);
  expect(text.slice(text.indexOf('</tool_call><|im_end|>'))).toBe(
    '</tool_call><|im_end|>\n<|im_start|>user\n<tool_response>\nsun\n</tool_response><|im_end|>\n<|im_start|>assistant\nsunny<|im_end|>',
  );
});

it('opens a segment where the template writes earlier turns anew', async () => {
  const opened = await openSession(['one', 'two'], { tokenizer: smallTokenizer(MOVING_TOOLS) });
  const { message } = await ask(opened, [user('a')], { tools: [WEATHER] });
  await ask(opened, [user('a'), message, user('b')], { tools: [WEATHER] });
  expect(reasons(opened)).toEqual(['start', 'template_not_append_only']);
});

it('tells the versions of the weights that answered', async () => {
  const opened = await openSession([
    { text: 'one', weightVersion: 'w1' },
    { text: 'two', weightVersion: 'w1' },
    { text: 'three', weightVersion: 'w2' },
  ]);
  const messages: Message[] = [];
  for (const content of ['a', 'b', 'c']) {
    messages.push(user(content));
    const result = await ask(opened, messages);
    messages.push(result.message);
  }
  expect(opened.session.segments()[0]?.weightVersions).toEqual(['w1', 'w2']);
});

it('gives calls ids of the form that the model and its template want', async () => {
  const strict = smallTokenizer(
    `{%- for message in messages %}{%- if message.role == 'tool' and message.tool_call_id | length != 9 %}{{- raise_exception('nine characters') }}{%- endif %}{%- endfor %}${CHATML}`,
  );
  const call = '[TOOL_CALLS][{"name": "get_weather", "arguments": {}}]';
  const opened = await openSession([call, 'sunny'], {
    tokenizer: strict,
    parser: getParser('mistral'),
  });
  const { message } = await ask(opened, [user('a')], { tools: [WEATHER] });
  const id = message.tool_calls?.[0]?.id ?? '';
  await ask(opened, [user('a'), message, { role: 'tool', tool_call_id: id, content: 'sun' }], {
    tools: [WEATHER],
  });
  expect(reasons(opened)).toEqual(['start']);
});

it('starts a subagent that comes after a reset as any other', async () => {
  const opened = await openSession(['one', 'two']);
  await ask(opened, [user('a')]);
  opened.session.reset();
  await ask(opened, [user('b')], {}, { invocationId: 'root.child-1' });
  expect(reasons(opened)).toEqual(['start', 'start']);
});

it('keeps five hundred sessions at once apart', async () => {
  const { session: _, engine } = await openSession((ids) => `heard ${ids.length}`);
  const server = await createManagedServer({ engine, tokenizer, parser: getParser('hermes') });
  const play = async (rollout: number) => {
    const session = server.openSession(`rollout-${rollout}`);
    const messages: Message[] = [];
    for (const content of ['a', `b ${'x'.repeat(rollout % 7)}`]) {
      messages.push(user(content));
      messages.push((await resultOf(session, { messages, sampling: {} })).message);
    }
    return session.segments();
  };
  const all = await Promise.all(Array.from({ length: 500 }, (_, rollout) => play(rollout)));
  for (const [rollout, segments] of all.entries()) {
    const text = tokenizer.decode(segments[0]?.ids ?? []);
    expect([segments.length, text.includes(`b ${'x'.repeat(rollout % 7)}<|im_end|>`)]).toEqual([
      1,
      true,
    ]);
  }
});
