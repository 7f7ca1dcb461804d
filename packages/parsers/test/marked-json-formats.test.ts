import { describe, expect, it } from 'vitest';
import { getParser } from '../src/registry.ts';
import type { ParseOptions } from '../src/types.ts';
import { countingIds, cutsOf, streamed } from './_vectors.ts';

/** The result in short; the same at any chunking. */
function read(format: string, text: string, options: ParseOptions = {}) {
  const parser = getParser(format);
  const result = parser.parse(text, { ...options, newId: countingIds() });
  for (const cuts of cutsOf(text))
    expect(streamed(parser, text, cuts, { ...options, newId: countingIds() })).toEqual(result);
  const { content, reasoning, toolCalls, diagnostics } = result;
  return {
    content,
    reasoning,
    calls: toolCalls.map((call) => call.function.name + call.function.arguments),
    codes: diagnostics.filter((one) => one.level !== 'info').map((one) => one.code),
  };
}

const nothing = { content: null, reasoning: null, calls: [], codes: [] };

describe('what is broken behind a complete call of a list', () => {
  const call = '{"name":"f","arguments":{"s":"a</tool_calls>b"}}';
  const found = 'f{"s":"a</tool_calls>b"}';

  it('costs neither the call nor the text that stands in it', () => {
    const text = `<tool_calls>[${call} junk]</tool_calls>z`;
    const codes = ['malformed_call'];
    expect(read('jamba', text)).toEqual({ ...nothing, content: 'z', calls: [found], codes });
    expect(getParser('jamba').parse(text).diagnostics).toMatchObject([
      { code: 'malformed_call', raw: ' junk]</tool_calls>' },
    ]);
  });

  it('is a missing bracket, or one comma too many, when nothing is repaired', () => {
    for (const end of ['', ',]'])
      expect(read('jamba', `<tool_calls>[${call}${end}</tool_calls>z`, { repair: false })).toEqual({
        ...nothing,
        content: 'z',
        calls: [found],
        codes: ['malformed_call'],
      });
  });

  it('is not said of an element twice', () => {
    const text = '<tool_calls>[{"x":1} junk]</tool_calls>';
    expect(getParser('jamba').parse(text).diagnostics).toMatchObject([
      { code: 'missing_name', raw: '{"x":1}' },
      { code: 'malformed_call', raw: ' junk]</tool_calls>' },
    ]);
  });

  it('leaves no comma behind when the text ends there', () => {
    const text = `<tool_calls>[${call}, `;
    expect(read('jamba', text)).toEqual({ ...nothing, calls: [found], codes: ['unclosed_call'] });
  });
});

describe('tags around the answer', () => {
  it('take the white space on their inner side with them, and no other', () => {
    const text = 'Hi\n<response>\n  there\n</response>\nbye';
    expect(read('ernie45', text)).toEqual({ ...nothing, content: 'Hi\nthere\nbye' });
  });

  it('may stand around a call', () => {
    const text = '<answer>\n<tool_calls>[{"name":"f"}]</tool_calls>\n</answer>';
    expect(read('hunyuan_a13b', text)).toEqual({ ...nothing, calls: ['f{}'] });
  });
});

describe('ernie45', () => {
  it('reads a written line feed as one outside calls only', () => {
    const text =
      '<think>a<0x0A>b</think><0x0A><response>c<0x0A></response><tool_call>{"name":"f","arguments":{"a":"<0x0A>"}}</tool_call><0x0A>';
    expect(read('ernie45', text)).toEqual({
      ...nothing,
      content: 'c',
      reasoning: 'a\nb',
      calls: ['f{"a":"<0x0A>"}'],
    });
  });
});

describe('hunyuan_a13b', () => {
  it('drops the name of the role at the start and nowhere else', () => {
    expect(read('hunyuan_a13b', '助手：hi 助手：x')).toEqual({ ...nothing, content: 'hi 助手：x' });
  });
});

describe('granite', () => {
  it('takes its phrases for reasoning only at the start', () => {
    const text = "Here's my thought process: a\nHere is my response: b. Here is my response: c";
    expect(read('granite', text)).toEqual({
      ...nothing,
      content: 'b. Here is my response: c',
      reasoning: 'a',
    });
    const late = 'So. Here is my thought process: a';
    expect(read('granite', late)).toEqual({ ...nothing, content: late });
  });

  it('takes a type for the name only where there is no name', () => {
    const named = '<tool_call>[{"type":"function","arguments":{},"name":"f"}]';
    expect(read('granite', named)).toEqual({ ...nothing, calls: ['f{}'] });
    const typed = '<tool_call>[{"type":"f","arguments":{}}]';
    expect(read('granite', typed)).toMatchObject({ calls: ['f{}'], codes: ['repaired_call'] });
    expect(read('granite', typed, { repair: false })).toMatchObject({
      calls: [],
      codes: ['missing_name'],
    });
  });

  it('reports a list that is never closed', () => {
    const text = '<|tool_call|>[{"name":"f","arguments":{}}';
    expect(read('granite', text)).toEqual({ ...nothing, calls: ['f{}'], codes: ['unclosed_call'] });
  });
});

describe('internlm', () => {
  it('needs both opening markers, with white space between them or not', () => {
    const call = '{"name":"f","parameters":{}}<|action_end|>';
    const opened = `<|action_start|> \n<|plugin|>${call}`;
    expect(read('internlm', opened)).toEqual({ ...nothing, calls: ['f{}'] });
    expect(read('internlm', `<|action_start|>${call}`)).toMatchObject({
      calls: [],
      codes: ['stray_marker', 'stray_marker'],
    });
  });

  it.each(['<|action_start|>', '<|action_start|> <|plug', '<|action_start|><|plugin|>\n'])(
    'reports a call that is cut behind %j',
    (text) => {
      expect(read('internlm', text)).toEqual({ ...nothing, codes: ['truncated_call'] });
    },
  );
});

describe('phi4_mini_json', () => {
  it('leaves its word alone in prose', () => {
    for (const content of ['the functools', 'functools[cache]', 'functools [{"name":"f"}]'])
      expect(read('phi4_mini_json', content)).toEqual({ ...nothing, content });
  });
});

describe('cohere_command3', () => {
  it('keeps the first of equal ids, and numbers as ids', () => {
    const calls = [0, '"0"', '"x"'].map((id) => `{"tool_call_id":${id},"tool_name":"f"}`);
    const text = `<|START_ACTION|>[${calls.join()}]<|END_ACTION|>`;
    const result = getParser('cohere_command3').parse(text, { newId: countingIds() });
    expect(result.toolCalls.map((call) => call.id)).toEqual(['0', 'id_000001', 'x']);
    expect(result.diagnostics.map((one) => one.code)).toContain('duplicate_id');
  });

  it('cuts citations out, and nothing that only begins like one', () => {
    const text = '<|START_RESPONSE|>a <co: 1:[2]>b</co: 1:[2]> <co:x> </co: 9';
    expect(read('cohere_command3', text)).toEqual({ ...nothing, content: 'a b <co:x> </co: 9' });
  });

  it('writes ids for calls that have none', () => {
    const call = { id: '', type: 'function', function: { name: 'f', arguments: '{}' } } as const;
    const message = { content: null, reasoning: null, toolCalls: [call, call] };
    const text = getParser('cohere_command3').render(message);
    const ids = getParser('cohere_command3')
      .parse(text)
      .toolCalls.map(({ id }) => id);
    expect(ids).toEqual(['0', '1']);
  });
});

describe('gigachat3', () => {
  it('ends its content at the separator', () => {
    expect(read('gigachat3', 'Text.<|message_sep|>\n\n')).toEqual({ ...nothing, content: 'Text.' });
  });
});
