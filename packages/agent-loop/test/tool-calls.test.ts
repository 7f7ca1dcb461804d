import type { ChatModel } from '@hermes/protocol';
import { scriptedModel } from '@hermes/protocol/testing';
import { expect, it } from 'vitest';
import { callEcho, echo, play, tool, toolContents } from './_kit/play.ts';

const calls = (...list: readonly { id?: string; name: string; arguments?: string }[]) => [
  { calls: list },
  'Done.',
];

it('tells the model which tools there are when it names an unknown one', async () => {
  const { result } = await play(calls({ name: 'viewview', arguments: '{"a":1}' }), {
    tools: [tool('write', () => ''), echo],
  });
  const content = `{"error": "Unknown tool 'viewview'. Available tools: ['echo', 'write']"}`;
  expect(toolContents(result)).toEqual([content]);
  expect(result.toolErrors).toEqual([
    {
      turn: 1,
      toolName: 'viewview',
      rawArguments: '{"a":1}',
      error: "Unknown tool 'viewview'",
      toolResult: content,
    },
  ]);
  expect(result.stopReason).toBe('natural');
});

it.each([
  ['a list', '[1]', 'expected an object'],
  ['a text', '"x"', 'expected an object'],
  ['null', 'null', 'expected an object'],
  ['a number', '7', 'expected an object'],
  ['a repeated piece', '{"a":1}{"a":1}', /^Unexpected non-whitespace character/],
  ['half an object', '{"a":', /^Unexpected end of JSON input/],
  ['nothing', '', /^Unexpected end of JSON input/],
])('does not run a tool whose arguments are %s', async (_name, raw, reason) => {
  let ran = 0;
  const spy = tool('spy', () => {
    ran += 1;
    return 'ran';
  });
  const { result } = await play(calls({ name: 'spy', arguments: raw }), { tools: [spy] });
  const record = result.toolErrors[0];
  const told = record?.error.replace(/^Invalid JSON: /, '');
  expect(ran).toBe(0);
  expect(told).toMatch(reason);
  expect(JSON.parse(String(toolContents(result)[0]))).toEqual({
    error: `Invalid JSON in tool arguments: ${told}. Please retry with valid JSON.`,
  });
  expect(record?.rawArguments).toBe(raw);
  expect(result.messages[1]).toMatchObject({ tool_calls: [{ function: { arguments: '{}' } }] });
  expect(result.toolCalls).toEqual({ attempted: 1, schemaValid: 0, ok: 0, failed: 1 });
});

it('keeps what the model wrote in the history when it is an object', async () => {
  const raw = '{ "text" : "hi" }';
  const { result } = await play(calls({ name: 'echo', arguments: raw }));
  expect(result.messages[1]).toMatchObject({ tool_calls: [{ function: { arguments: raw } }] });
});

it('gives a call without an id one id in both messages', async () => {
  const { result } = await play(calls({ id: '', name: 'echo' }, { id: '', name: 'echo' }));
  const [, assistant, first, second] = result.messages;
  const ids =
    assistant?.role === 'assistant' ? assistant.tool_calls?.map((call) => call.id) : undefined;
  expect(ids).toEqual([expect.stringMatching(/^call_[0-9a-f]{24}$/), expect.anything()]);
  expect(new Set(ids).size).toBe(2);
  expect([first, second]).toMatchObject([{ tool_call_id: ids?.[0] }, { tool_call_id: ids?.[1] }]);
});

it('gives a call a key of its own although the model repeats its ids', async () => {
  const keys: string[] = [];
  const spy = tool('spy', (_args, context) => {
    keys.push(context.callKey);
    return context.toolCallId;
  });
  const turn = { calls: [{ id: 'functions.spy:0', name: 'spy' }] };
  const { result } = await play([turn, turn, 'Done.'], { tools: [spy] });
  expect(toolContents(result)).toEqual(['functions.spy:0', 'functions.spy:0']);
  expect(new Set(keys).size).toBe(2);
  for (const key of keys) expect(key).toMatch(/^[\w.-]+$/);
});

it('answers both calls of a turn in order although the first fails', async () => {
  const fails = tool('fails', () => {
    throw new RangeError('too far');
  });
  const { result } = await play(calls({ name: 'fails' }, { name: 'echo', arguments: '{"a":1}' }), {
    tools: [fails, echo],
  });
  expect(toolContents(result)).toEqual([
    '{"error": "Tool execution failed: RangeError: too far"}',
    '{"a":1}',
  ]);
  expect(result.toolErrors).toMatchObject([
    { toolName: 'fails', error: 'RangeError: too far', turn: 1 },
  ]);
  expect(result.toolCalls).toEqual({ attempted: 2, schemaValid: 2, ok: 1, failed: 1 });
});

it.each([
  ['an error without an exit code', '{"error":"no such file"}', 'no such file'],
  ['an error with a negative exit code', '{"exit_code":-1,"error":"lost"}', 'lost'],
  ['an error with exit code null', '{"exit_code":null,"error":"lost"}', 'lost'],
  ['a timeout with a text', '{"exit_code":124,"error":"Command timed out"}', 'Command timed out'],
  ['a timeout alone', '{"exit_code":124,"error":null}', /timed out/],
  ['a command that failed', '{"exit_code":2,"error":"x"}', null],
  ['a command with exit code 0 and an error', '{"exit_code":0,"error":"x"}', null],
  ['no error', '{"exit_code":0,"error":null}', null],
  ['an error in the output', '{"output":"{\\"error\\":\\"x\\"}","exit_code":0}', null],
  ['an error below the top', '{"files":[{"error":"x"}]}', null],
  ['plain text about an "error": "x"', 'an "error": "x"', null],
])('records %s accordingly', async (_name, content, error) => {
  const { result } = await play([callEcho, 'Done.'], { tools: [tool('echo', () => content)] });
  if (error === null) expect(result.toolErrors).toEqual([]);
  else expect(result.toolErrors[0]?.error).toMatch(error);
  expect(result.toolCalls.failed).toBe(error === null ? 0 : 1);
  expect(toolContents(result)).toEqual([content]);
});

it('cuts what it records of a reported error to 500 characters, and of arguments to 200', async () => {
  const long = tool('echo', () => JSON.stringify({ error: 'e', output: 'x'.repeat(900) }));
  const raw = JSON.stringify({ text: 'y'.repeat(900) });
  const { result } = await play(calls({ name: 'echo', arguments: raw }), { tools: [long] });
  expect(result.toolErrors[0]?.toolResult).toHaveLength(500);
  expect(result.toolErrors[0]?.rawArguments).toBe(raw.slice(0, 200));
});

it('cuts a record in whole characters', async () => {
  const long = tool('echo', () => JSON.stringify({ error: '\u{1f600}'.repeat(900) }));
  const raw = JSON.stringify({ text: '\u{1f600}'.repeat(900) });
  const { result } = await play(calls({ name: 'echo', arguments: raw }), { tools: [long] });
  expect([...(result.toolErrors[0]?.toolResult ?? '')]).toHaveLength(500);
  expect([...(result.toolErrors[0]?.rawArguments ?? '')]).toHaveLength(200);
});

it.each(['failed', 'timeout'] as const)(
  'keeps 500 characters of a long result that a tool calls %s',
  async (status) => {
    const error = { boundary: 'tool', code: 'X', message: 'slow', retryable: false } as const;
    const long = tool('echo', () => ({ status, content: 'x'.repeat(50_000), error }));
    const { result } = await play([callEcho, 'Done.'], { tools: [long] });
    expect(result.toolErrors[0]?.toolResult).toBe('x'.repeat(500));
    expect(toolContents(result)).toEqual(['x'.repeat(50_000)]);
  },
);

it('records a tool that says it failed or timed out', async () => {
  const error = { boundary: 'tool', code: 'TIMEOUT', message: 'slow', retryable: false } as const;
  const slow = tool('echo', () => ({ status: 'timeout', content: '{"exit_code":124}', error }));
  const { result } = await play([callEcho, 'Done.'], { tools: [slow] });
  expect(result.toolErrors).toMatchObject([{ error: 'slow' }]);
});

it('coerces arguments by the schema before a tool sees them', async () => {
  const parameters = {
    type: 'object',
    required: ['count'],
    properties: { count: { type: 'integer' }, deep: { type: 'boolean' } },
  };
  const seen: unknown[] = [];
  const spy = tool(
    'spy',
    (args) => {
      seen.push(args);
      return '';
    },
    { parameters },
  );
  const raw = '{"count":"5","deep":"true","other":"7"}';
  const { result } = await play(calls({ name: 'spy', arguments: raw }, { name: 'spy' }), {
    tools: [spy],
  });
  expect(result.toolCalls).toMatchObject({ attempted: 2, schemaValid: 1, ok: 2 });
  expect(seen).toEqual([{ count: 5, deep: true, other: '7' }, {}]);
  expect(result.messages[1]).toMatchObject({ tool_calls: [{ function: { arguments: raw } }, {}] });
});

it('turns a tool that returns no result into a failed call', async () => {
  const broken = { ...echo, execute: async () => JSON.parse('null') };
  const { result } = await play([callEcho, 'Done.'], { tools: [broken] });
  expect(toolContents(result)).toEqual([
    '{"error": "Tool execution failed: TypeError: it returned no content"}',
  ]);
});

it('asks the result budget for each result and once for the turn', async () => {
  const asked: string[] = [];
  const { result } = await play(calls({ name: 'echo' }, { name: 'nope' }), {
    resultBudget: {
      async limitResult(one, known, context) {
        asked.push(`${known?.schema.function.name ?? 'unknown'} ${context.callKey}`);
        return { ...one, content: `limited ${context.toolCallId}` };
      },
      async limitTurn(all) {
        asked.push(`turn of ${all.length}`);
        return all.map(({ result: one }, index) =>
          index === 0 ? { ...one, content: 'cut' } : one,
        );
      },
    },
  });
  expect(asked).toEqual(['echo root.turn-1.call-1', 'unknown root.turn-1.call-2', 'turn of 2']);
  expect(toolContents(result)).toEqual(['cut', 'limited call_0_1']);
});

it('shows the model the call that a parser had to drop, and asks again', async () => {
  const raw = '<tool_call>{"name": "echo", "arguments": {"a": }</tool_call>';
  const note = { code: 'malformed_call', message: 'a value is missing.', raw, toolName: 'echo' };
  const { result } = await play([
    {
      content: 'Let me see.',
      notes: [
        { ...note, level: 'error' },
        { ...note, level: 'warning' },
      ],
    },
    'Done.',
  ]);
  expect(result).toMatchObject({ stopReason: 'natural', turnsUsed: 2 });
  expect(result.messages[1]).toMatchObject({
    content: 'Let me see.',
    tool_calls: [{ function: { name: 'echo', arguments: '{}' } }],
  });
  const error = 'Invalid JSON in tool arguments: a value is missing. Please retry with valid JSON.';
  expect(JSON.parse(String(toolContents(result)[0]))).toEqual({ error, received: raw });
  expect(result.toolErrors).toMatchObject([{ rawArguments: raw, toolName: 'echo' }]);
});

it('reads messages in the shapes that servers send', async () => {
  const odd = JSON.parse(`{
    "role": "assistant", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}],
    "reasoning": "why", "tool_calls": [{"name": "echo", "arguments": {"x": 1}}, null]
  }`);
  const empty = JSON.parse('{"role": "assistant", "content": null, "tool_calls": null}');
  const scripted = scriptedModel('');
  const messages = [odd, empty];
  const model: ChatModel = {
    ...scripted,
    async *chat(request, context) {
      for await (const event of scripted.chat(request, context)) {
        if (event.type !== 'result') yield event;
        else yield { ...event, result: { ...event.result, message: messages.shift() } };
      }
    },
  };
  const { result } = await play('', { model });
  expect(result.messages[1]).toMatchObject({
    content: 'ab',
    reasoning_content: 'why',
    tool_calls: [
      { type: 'function', function: { name: 'echo', arguments: '{"x":1}' } },
      { type: 'function', function: { name: '', arguments: '{}' } },
    ],
  });
  expect(toolContents(result)).toEqual(['{"x":1}', expect.stringContaining("Unknown tool ''")]);
  expect(result.messages.at(-1)).toEqual({ role: 'assistant', content: '' });
});
