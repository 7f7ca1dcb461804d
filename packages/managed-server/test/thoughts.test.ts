import type { AssistantMessage, Message } from '@hermes/protocol';
import { expect, it } from 'vitest';
import { ask, openSession, WEATHER } from './_support/session.ts';
import { smallTokenizer } from './_support/small-tokenizer.ts';
import { FORGETFUL } from './_support/templates.ts';

const forgetful = smallTokenizer(FORGETFUL);
const user = (content: string): Message => ({ role: 'user', content });
const CALL =
  '<think>\nI should look.\n</think>\n\n<tool_call>\n{"name": "get_weather", "arguments": {}}\n</tool_call>';
const THOUGHT = '<think>\nIt is warm.\n</think>\n\nSunny.';

function toolResult(message: AssistantMessage): Message {
  return { role: 'tool', tool_call_id: message.tool_calls?.[0]?.id ?? '', content: 'sun' };
}

it('keeps thoughts among tool results and leaves them out behind a new question, as the template does', async () => {
  const opened = await openSession([CALL, THOUGHT, 'Bye.'], { tokenizer: forgetful });
  const tools = { tools: [WEATHER] };
  const first = await ask(opened, [user('a')], tools);
  expect(first.message.reasoning_content?.trim()).toBe('I should look.');
  const messages = [user('a'), first.message, toolResult(first.message)];
  const second = await ask(opened, messages, tools);
  expect(second.message).toMatchObject({ content: 'Sunny.' });
  await ask(opened, [...messages, second.message, user('b')], tools);
  const [one, other] = opened.session.segments();
  expect([one?.openedBecause, other?.openedBecause]).toEqual(['start', 'template_not_append_only']);
  expect(forgetful.decode(one?.ids ?? [])).toContain('I should look.');
  expect(forgetful.decode(other?.ids ?? [])).not.toContain('<think>');
  expect(forgetful.decode(other?.ids ?? [])).toContain('Sunny.<|im_end|>\n<|im_start|>user\nb');
});

it('goes on behind a new question where the model did not think', async () => {
  const opened = await openSession(['Sunny.', 'Bye.'], { tokenizer: forgetful });
  const { message } = await ask(opened, [user('a')]);
  await ask(opened, [user('a'), message, user('b')]);
  expect(opened.session.segments()).toHaveLength(1);
});

it('keeps thoughts in the prompt where it is told to', async () => {
  const opened = await openSession([THOUGHT, 'Bye.'], {
    tokenizer: forgetful,
    keepReasoning: true,
  });
  const { message } = await ask(opened, [user('a')]);
  await ask(opened, [user('a'), message, user('b')]);
  expect(opened.session.segments()).toHaveLength(1);
});

it('keeps thoughts where the template knows nothing of them, also when the agent drops them', async () => {
  const opened = await openSession([THOUGHT, 'Bye.']);
  const { message } = await ask(opened, [user('a')]);
  const { reasoning_content: _, ...thoughtless } = message;
  await ask(opened, [user('a'), thoughtless, user('b')]);
  expect(opened.session.segments()).toHaveLength(1);
});

it('reads a thought that the prompt has opened', async () => {
  const opening = smallTokenizer(
    FORGETFUL.replace("assistant\\n' }}{%- endif %}", "assistant\\n<think>\\n' }}{%- endif %}"),
  );
  const opened = await openSession(['It is warm.\n</think>\n\nSunny.'], { tokenizer: opening });
  const { message } = await ask(opened, [user('a')]);
  expect(message.content).toBe('Sunny.');
  expect(message.reasoning_content?.trim()).toBe('It is warm.');
});
