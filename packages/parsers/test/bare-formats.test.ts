import { describe, expect, it } from 'vitest';
import { getParser } from '../src/registry.ts';
import type { ParseResult, ToolSchema } from '../src/types.ts';
import { cutsOf, streamed } from './_vectors.ts';

const tools: readonly ToolSchema[] = [
  {
    type: 'function',
    function: { name: 'f', parameters: { properties: { n: { type: 'integer' } } } },
  },
];

type Case = readonly [
  behaviour: string,
  text: string,
  content: string | null,
  calls: string,
  codes: string,
];

const cases: Readonly<Record<string, readonly Case[]>> = {
  llama3_json: [
    ['cuts out a tag without a call', '<|python_tag|>print(1)', 'print(1)', '', 'stray_marker'],
    [
      'drops a broken object behind a tag up to the next tag',
      '<|python_tag|>{"name":"f","parameters":{a:1}}<|python_tag|>{"name":"g","parameters":{}}',
      null,
      'g{}',
      'malformed_call',
    ],
    [
      'keeps what follows a call when it is no other call',
      '{"name":"f","parameters":{}}; {"x":1}',
      '; {"x":1}',
      'f{}',
      '',
    ],
    [
      'keeps the complete calls of a list that is cut',
      '[{"name":"f","parameters":{}}, {"name":"g","parameters":{"a',
      null,
      'f{}',
      'truncated_call',
    ],
    [
      'closes brackets before the end token of Llama 4',
      '<|python_start|>{"name":"f","parameters":{"a":1}<|python_end|>x',
      'x',
      'f{"a":1}',
      'repaired_call',
    ],
    [
      'reads a call of a given tool in a code fence',
      '```json\n{"name":"f","parameters":{}}\n```',
      '```json\n```',
      'f{}',
      '',
    ],
    [
      'finds a call within an object that breaks behind it',
      '{"a": {"name":"g","parameters":{}} oops',
      '{"a": oops',
      'g{}',
      '',
    ],
    [
      'takes a blank name for text',
      '{"name":" ","parameters":{}}',
      '{"name":" ","parameters":{}}',
      '',
      '',
    ],
    [
      'takes an object cut before its arguments for text',
      '{"name":"f","par',
      '{"name":"f","par',
      '',
      '',
    ],
    ['never shows a token that ends a turn', '{"a":"b<|eot_id|>', '{"a":"b', '', ''],
  ],
  harmony: [
    [
      'joins visible messages by one line feed, blank ones aside',
      '<|channel|>final<|message|>one<|end|><|start|>assistant<|channel|>final<|message|> <|end|><|start|>assistant<|channel|>final<|message|> two',
      'one\n two',
      '',
      '',
    ],
    [
      'finds the recipient before the first token',
      ' to=functions.w<|channel|>analysis code<|message|>{"c":1}<|call|>',
      null,
      'w{"c":1}',
      '',
    ],
    [
      'drops a body that is no JSON and goes on behind it',
      '<|channel|>commentary to=functions.f<|message|>print(1)<|call|><|start|>assistant<|channel|>final<|message|>ok',
      'ok',
      '',
      'invalid_arguments',
    ],
    [
      'takes an empty body for a call without arguments',
      '<|channel|>commentary to=functions.f<|message|><|call|>',
      null,
      'f{}',
      '',
    ],
    [
      'closes brackets before an end token',
      '<|channel|>commentary to=functions.f<|message|>{"a":{}<|call|>',
      null,
      'f{"a":{}}',
      'repaired_call',
    ],
    [
      'ends a broken string at the end token',
      '<|channel|>commentary to=f<|message|>{"a":"x<|call|><|start|>assistant<|channel|>final<|message|>ok',
      'ok',
      '',
      'invalid_arguments',
    ],
    [
      'drops a header that is cut',
      '<|channel|>commentary to=functions.f <|constr',
      null,
      '',
      'truncated_call',
    ],
    [
      'takes words that only look like a header for text',
      'to=f is a word',
      'to=f is a word',
      '',
      '',
    ],
  ],
  gemma4: [
    [
      'keeps the neighbours of a broken call',
      '<|tool_call>call:f{a:1<tool_call|>x<|tool_call>call:g{}<tool_call|>',
      'x',
      'g{}',
      'malformed_call',
    ],
    [
      'ends a string without an end at the closing marker',
      '<|tool_call>call:f{a:<|"|>x<tool_call|> y',
      'y',
      '',
      'malformed_call',
    ],
    [
      'keeps the first of two values',
      '<|tool_call>call:f{a:1,a:2}<tool_call|>',
      null,
      'f{"a":1}',
      'duplicate_key',
    ],
    ['drops a call cut in its name', '<|tool_call>call:ge', null, '', 'truncated_call'],
    [
      'cuts out markers without a call',
      '<|tool_call>no<tool_call|>',
      'no',
      '',
      'stray_marker stray_marker',
    ],
  ],
  functiongemma: [
    [
      'keeps values that do not fit as strings',
      '<start_function_call>call:f{n:<escape>x<escape>,s:two words}<end_function_call>',
      null,
      'f{"n":"x","s":"two words"}',
      'coercion_failed coercion_failed',
    ],
    [
      'takes JSON without quotes as it stands',
      '<start_function_call>call:g{o:{"x":[1, 2.0]}}<end_function_call>',
      null,
      'g{"o":{"x":[1, 2.0]}}',
      '',
    ],
  ],
  lfm2: [
    [
      'ends a call with the wrong brackets at the closing marker',
      '<|tool_call_start|>[f(a=[1)]<|tool_call_end|>x',
      'x',
      '',
      'malformed_call',
    ],
    [
      'ends a string without an end at the closing marker',
      '<|tool_call_start|>[f(a="x)]<|tool_call_end|>y<|tool_call_start|>[g()]<|tool_call_end|>',
      'y',
      'g{}',
      'malformed_call',
    ],
    [
      'drops an element that is no call',
      '<|tool_call_start|>[f(n=1), nope]<|tool_call_end|>x',
      'x',
      'f{"n":1}',
      'malformed_call',
    ],
    [
      'adds the bracket that is missing before the closing marker',
      '<|tool_call_start|>[f(n=1)<|tool_call_end|>',
      null,
      'f{"n":1}',
      'repaired_call',
    ],
  ],
  olmo3: [
    [
      'drops a line that is no call',
      '<function_calls>\nf(n=1)\nno call\ng()\n</function_calls>x',
      'x',
      'f{"n":1} g{}',
      'malformed_call',
    ],
    ['takes lines of which one is no call for text', 'f(n=1)\nDone.', 'f(n=1)\nDone.', '', ''],
    [
      'reads calls of given tools without tags',
      'f(n=1)\nf()',
      null,
      'f{"n":1} f{}',
      'missing_wrapper missing_wrapper',
    ],
  ],
  xlam: [
    [
      'takes a list with an element that is no call for text',
      '[{"name":"f","arguments":{}},{"name":"g"}]',
      '[{"name":"f","arguments":{}},{"name":"g"}]',
      '',
      '',
    ],
    [
      'keeps the complete calls of a list that is cut',
      '[{"name":"f","arguments":{}},{"name":"g","argu',
      null,
      'f{}',
      'truncated_call',
    ],
    [
      'takes a list behind prose for text',
      'So: [{"name":"f","arguments":{}}]',
      'So: [{"name":"f","arguments":{}}]',
      '',
      '',
    ],
    ['leaves other code fences alone', '```json\n[1, 2]\n```', '```json\n[1, 2]\n```', '', ''],
  ],
  apertus: [
    [
      'keeps the calls before a broken one in the same object',
      '<|tools_prefix|>[{"f":{"a":1},"g":{x}}]<|tools_suffix|>y',
      'y',
      'f{"a":1}',
      'malformed_call',
    ],
    [
      'misses the name of an empty object',
      '<|tools_prefix|>[{},{"f":null}]<|tools_suffix|>',
      null,
      'f{}',
      'missing_name',
    ],
    [
      'keeps the complete calls of an object that is cut',
      '<|tools_prefix|>[{"f":{"a":1},"g":{"b',
      null,
      'f{"a":1}',
      'truncated_call',
    ],
  ],
};

describe.each(Object.entries(cases))('%s', (format, rows) => {
  const parser = getParser(format);

  it.each(rows)('%s', (_, text, content, calls, codes) => {
    const expected = [content, calls, codes];
    expect(essence(parser.parse(text, { tools }))).toEqual(expected);
    for (const delivery of ['whole', 'incremental'] as const) {
      for (const cuts of cutsOf(text)) {
        const options = { tools, delivery, newId: () => 'id' };
        expect(essence(streamed(parser, text, cuts, options))).toEqual(expected);
      }
    }
  });
});

function essence(result: ParseResult): readonly unknown[] {
  const calls = result.toolCalls.map((call) => call.function.name + call.function.arguments);
  const codes = result.diagnostics.filter((one) => one.level !== 'info').map((one) => one.code);
  return [result.content, calls.join(' '), codes.join(' ')];
}

it.each([
  ['digits that are missing', 'x=0x_', 'invalid_arguments'],
  ['digits that would take minutes to write out', `x=0x${'f'.repeat(5000)}`, 'invalid_arguments'],
  ['a complex number', 'x=1j', 'invalid_arguments'],
])('pythonic answers %s with a diagnostic', (_, text, code) => {
  const { toolCalls, diagnostics } = getParser('pythonic').parse(`[f(${text})]`);
  expect([toolCalls.length, diagnostics.map((one) => one.code)]).toEqual([0, [code]]);
});

it.each([
  ['an integer of any length', '9'.repeat(400), '9'.repeat(400)],
  ['an escape of no character', '"\\U00110000"', '"\\\\U00110000"'],
  ['octal, binary and hexadecimal digits', '[0o17, -0b1_01, 0X_fF]', '[15,-5,255]'],
])('pythonic keeps %s', (_, literal, json) => {
  const { toolCalls } = getParser('pythonic').parse(`[f(x=${literal})]`);
  expect(toolCalls[0]?.function.arguments).toBe(`{"x":${json}}`);
});

it('pythonic reads a name of a million parts', () => {
  const name = `${'a.'.repeat(1_000_000)}a`;
  expect(getParser('pythonic').parse(`[${name}(x=1)]`).toolCalls[0]?.function.name).toBe(name);
});

it('pythonic cuts off what stands behind a complete call, not the call again', () => {
  const { toolCalls, diagnostics } = getParser('pythonic').parse('[f(x=1), ');
  expect(toolCalls).toHaveLength(1);
  expect(diagnostics).toMatchObject([{ code: 'truncated_call', raw: ', ' }]);
});

it('harmony reads analysis as reasoning, also what the prompt began', () => {
  const text = 'so<|end|><|start|>assistant<|channel|>analysis<|message|> and <|end|>';
  const { reasoning } = getParser('harmony').parse(text, { startInReasoning: true });
  expect(reasoning).toBe('so\nand');
});

it('harmony leaves analysis in the content when reasoning is not asked for', () => {
  const text =
    '<|channel|>analysis<|message|>so<|end|><|start|>assistant<|channel|>final<|message|>ok';
  const { content, reasoning } = getParser('harmony').parse(text, { reasoning: false });
  expect([content, reasoning]).toEqual(['so\nok', null]);
});

it.each(['gemma4', 'functiongemma', 'lfm2', 'olmo3', 'harmony', 'xlam', 'apertus', 'llama3_json'])(
  '%s carries its own markers and quotes inside arguments',
  (format) => {
    const parser = getParser(format);
    const tags =
      '<|"|> <escape> <tool_call|> <|call|> </function_calls> }]) \' " \\ \n<|python_tag|>';
    const given = JSON.stringify({ a: tags, b: { [tags]: [tags, null, -0.5] } });
    const call = { id: 'id', type: 'function', function: { name: 'f', arguments: given } } as const;
    const text = parser.render({ content: null, reasoning: null, toolCalls: [call] });
    const read = parser.parse(text).toolCalls[0]?.function.arguments ?? '';
    expect(JSON.parse(read)).toEqual(JSON.parse(given));
  },
);
