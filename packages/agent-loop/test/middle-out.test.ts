import type { Message } from '@hermes/protocol';
import { expect, it } from 'vitest';
import { middleOut } from '../src/index.ts';

const input = (messages: readonly Message[]) => ({
  messages,
  tools: [],
  contextTokens: null,
  lastUsage: null,
  overflow: null,
  emit: () => {},
  call: {
    signal: new AbortController().signal,
    rolloutId: 'r',
    invocationId: 'root',
    turn: null,
    purpose: 'compaction' as const,
    split: 'eval' as const,
  },
});

function conversation(exchanges: number, resultLength = 400): readonly Message[] {
  const messages: Message[] = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Begin.' },
  ];
  for (let n = 0; n < exchanges; n += 1) {
    const call = {
      id: `c${n}`,
      type: 'function',
      function: { name: 't', arguments: '{}' },
    } as const;
    messages.push({ role: 'assistant', content: '', tool_calls: [call] });
    messages.push({ role: 'tool', tool_call_id: `c${n}`, content: 'r'.repeat(resultLength) });
  }
  return messages;
}

async function view(messages: readonly Message[], maxTokens: number) {
  const decision = await middleOut({ maxTokens }).prepare(input(messages));
  return decision.kind === 'view' ? decision.messages : null;
}

it('leaves a history alone that fits', async () => {
  expect(await view(conversation(3), 10_000)).toBeNull();
});

it('shortens the results in the middle first, and only those', async () => {
  const messages = conversation(6);
  const sent = await view(messages, 900);
  expect(sent).toHaveLength(messages.length);
  const lengths = sent?.filter((m) => m.role === 'tool').map((m) => m.content.length);
  expect(lengths).toEqual([184, 184, 184, 400, 400, 400]);
});

it('then drops the oldest exchanges, a call with its results', async () => {
  const messages = conversation(10);
  const sent = (await view(messages, 800)) ?? [];
  expect(sent.length).toBeLessThan(messages.length);
  expect(sent.slice(0, 2)).toEqual(messages.slice(0, 2));
  expect(sent.slice(-6)).toEqual(messages.slice(-6));
  const calls = sent.flatMap((m) => (m.role === 'assistant' ? (m.tool_calls ?? []) : []));
  const answered = sent.flatMap((m) => (m.role === 'tool' ? [m.tool_call_id] : []));
  expect(calls.map((call) => call.id)).toEqual(answered);
});

it('never parts a call from its results at the edge of what is kept', async () => {
  const messages = [...conversation(8), { role: 'user', content: 'Go on.' } as const];
  const sent = (await view(messages, 1)) ?? [];
  const calls = sent.flatMap((m) => (m.role === 'assistant' ? (m.tool_calls ?? []) : []));
  const answered = sent.flatMap((m) => (m.role === 'tool' ? [m.tool_call_id] : []));
  expect(calls.map((call) => call.id)).toEqual(answered);
  expect(sent.slice(-6)).toEqual(messages.slice(-6));
});

it('changes nothing when there is no middle', async () => {
  expect(await view(conversation(3), 1)).toBeNull();
});

it.each([
  { maxTokens: 0 },
  { maxTokens: Number.NaN },
  { maxTokens: 100, keepFirst: -1 },
  { maxTokens: 100, keepLast: 1.5 },
])('refuses %j', (options) => {
  expect(() => middleOut(options)).toThrow(/must be/);
});
