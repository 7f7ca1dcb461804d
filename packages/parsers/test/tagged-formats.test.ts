import { describe, expect, it } from 'vitest';
import { getParser } from '../src/registry.ts';
import type { ParseResult, RenderableMessage } from '../src/types.ts';
import { cutsOf, streamed } from './_vectors.ts';

const dsml = (text: string): string => text.replaceAll('@', '｜DSML｜');
const marked = (text: string): string => text.replaceAll('~', ']<]minimax[>[');
const tokens = (text: string): string => text.replaceAll('[', '<｜').replaceAll(']', '｜>');
const channels = (text: string): string =>
  text.replace(/\[(\/?)([^\]]*)\]/g, (_, slash: string, name: string) =>
    slash === '' ? `<|open|>${name}<|sep|>` : `<|close|>${name}<|sep|>`,
  );
const invoke = (name: string): string =>
  `<steptml:invoke name="${name}"><steptml:parameter name="a">1</steptml:parameter></steptml:invoke>`;

type Case = readonly [
  format: string,
  behaviour: string,
  text: string,
  content: string | null,
  calls: string,
  codes: string,
];

const cases: readonly Case[] = [
  [
    'deepseek_v32',
    'keeps the neighbours of a call whose tag cannot be read',
    dsml(
      '<@function_calls>\n<@invoke name="f">\n</@invoke>\n<@invoke bad>\nz\n</@invoke>\n<@invoke name="g">\n</@invoke>\n</@function_calls>\nEnd',
    ),
    'End',
    'f{} g{}',
    'malformed_call',
  ],
  [
    'deepseek_v32',
    'keeps the neighbours of a call with text in place of parameters',
    dsml(
      '<@function_calls><@invoke name="f">junk</@invoke><@invoke name="g"></@invoke></@function_calls>',
    ),
    null,
    'g{}',
    'malformed_call',
  ],
  [
    'deepseek_v32',
    'drops a call with a blank name',
    dsml('<@function_calls><@invoke name=" "></@invoke></@function_calls>'),
    null,
    '',
    'missing_name',
  ],
  [
    'deepseek_v32',
    'takes the lone end of a block with the call whose block was not opened',
    dsml('Hi <@invoke name="f"></@invoke>\n</@function_calls>\nEnd'),
    'Hi\nEnd',
    'f{}',
    'missing_wrapper',
  ],
  [
    'deepseek_v32',
    'removes the marks of a block without calls',
    dsml('Hi <@function_calls> there </@function_calls>.'),
    'Hi  there .',
    '',
    'stray_marker stray_marker',
  ],
  [
    'deepseek_v32',
    'keeps a parameter called arguments that has neighbours',
    dsml(
      '<@function_calls><@invoke name="f"><@parameter name="arguments" string="false">{"a":1}</@parameter><@parameter name="b" string="true">x</@parameter></@invoke></@function_calls>',
    ),
    null,
    'f{"arguments":{"a":1},"b":"x"}',
    '',
  ],
  [
    'deepseek_v32',
    'repairs JSON in place of parameters',
    dsml('<@function_calls><@invoke name="f">{"a": [1,]}</@invoke></@function_calls>'),
    null,
    'f{"a": [1]}',
    'repaired_call',
  ],
  [
    'deepseek_v32',
    'reads a value that says it is JSON as JSON, quotes included',
    dsml(
      '<@function_calls><@invoke name="f"><@parameter name="a" string="false">"1"</@parameter></@invoke></@function_calls>',
    ),
    null,
    'f{"a":"1"}',
    '',
  ],
  [
    'deepseek_v32',
    'reports one missing end of a block',
    dsml('<@function_calls><@invoke name="f"></@invoke>\nAnd so on'),
    'And so on',
    'f{}',
    'unclosed_call',
  ],
  [
    'deepseek_v3_1',
    'does not take broken arguments for a name',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>f<｜tool▁sep｜>nope<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    null,
    '',
    'invalid_arguments',
  ],
  [
    'minimax_m2',
    'leaves the tags of other products alone',
    'See <function_calls><invoke name="x"><parameter name="a">1</parameter></invoke></function_calls>.',
    'See <function_calls><invoke name="x"><parameter name="a">1</parameter></invoke></function_calls>.',
    '',
    '',
  ],
  [
    'minimax_m3',
    'ends a value only at the tag of its own name before a tag that may follow',
    marked('~<tool_call>~<invoke name="f">~<a>x~</a> ~</b> y~</a>~</invoke>~</tool_call>'),
    null,
    `f${JSON.stringify({ a: marked('x~</a> ~</b> y') })}`,
    '',
  ],
  ['minimax_m3', 'keeps a lone mark in the content', marked('a ~ b'), marked('a ~ b'), '', ''],
  [
    'step3',
    'keeps both calls when the end of the first one is missing',
    tokens(
      `[tool_calls_begin][tool_call_begin]function[tool_sep]${invoke('f')}[tool_call_begin]function[tool_sep]${invoke('g')}[tool_call_end][tool_calls_end]`,
    ),
    null,
    'f{"a":1} g{"a":1}',
    'unclosed_call',
  ],
  [
    'step3',
    'reports what stands in place of a call, and drops text between calls',
    tokens(
      `[tool_calls_begin][tool_call_begin]function[tool_sep]junk[tool_call_end] so [tool_call_begin]function[tool_sep]${invoke('g')}[tool_call_end][tool_calls_end]End`,
    ),
    'End',
    'g{"a":1}',
    'malformed_call',
  ],
  [
    'step3',
    'reads a call without its section',
    tokens(`Hi [tool_call_begin]function[tool_sep]${invoke('f')}[tool_call_end] End`),
    'Hi End',
    'f{"a":1}',
    'missing_wrapper',
  ],
  [
    'step3',
    'needs no end of the section',
    tokens(`[tool_calls_begin][tool_call_begin]function[tool_sep]${invoke('f')}[tool_call_end]`),
    null,
    'f{"a":1}',
    '',
  ],
  [
    'step3',
    'drops a call that is cut before its name',
    tokens(
      `[tool_calls_begin][tool_call_begin]function[tool_sep]${invoke('f')}[tool_call_end][tool_call_begin]func`,
    ),
    null,
    'f{"a":1}',
    'truncated_call',
  ],
  [
    'kimi_k3',
    'keeps the neighbours of a call without a tool',
    channels('[tools][call tool="f"][/call][call index="2"][/call][call tool="g"][/call][/tools]'),
    null,
    'f{} g{}',
    'malformed_call',
  ],
  [
    'kimi_k3',
    'keeps the white space of an answer',
    channels('[response]a b [/response][tools][call tool="f" index="1"][/call][/tools][/message]'),
    'a b ',
    'f{}',
    '',
  ],
  [
    'hy_v3',
    'keeps the neighbours of a call that is none',
    'x\n<tool_calls>\n<tool_call>f<tool_sep></tool_call>\n<tool_call>{no}</tool_call>\n<tool_call>g<tool_sep></tool_call>\n</tool_calls>\ny',
    'x\ny',
    'f{} g{}',
    'stray_marker',
  ],
  [
    'hy_v3',
    'reads a call without its section',
    'x <tool_call>f<tool_sep><arg_key>a</arg_key><arg_value>1</arg_value></tool_call> y',
    'x y',
    'f{"a":1}',
    'missing_wrapper',
  ],
  [
    'hy_v3',
    'takes the end of the section for the end of a call',
    '<tool_calls><tool_call>f<tool_sep><arg_key>a</arg_key><arg_value>1</arg_value></tool_calls>y',
    'y',
    'f{"a":1}',
    'unclosed_call',
  ],
  [
    'longcat',
    'takes text that is neither JSON nor a name for content',
    '<longcat_tool_call>not json</longcat_tool_call>',
    'not json',
    '',
    'stray_marker stray_marker',
  ],
  [
    'longcat',
    'reads JSON behind a broken body of tags',
    '<longcat_tool_call>f <longcat_arg_key>a</longcat_arg_key><longcat_tool_call>{"name":"g"}</longcat_tool_call>',
    null,
    'g{}',
    'malformed_call',
  ],
];

describe.each(cases)('%s %s', (format, _, text, content, calls, codes) => {
  const parser = getParser(format);
  const expected = [content, calls, codes];

  it('in one piece', () => {
    expect(essence(parser.parse(text))).toEqual(expected);
  });

  it.each(['whole', 'incremental'] as const)('at any chunking, %s', (delivery) => {
    for (const cuts of cutsOf(text)) {
      expect(essence(streamed(parser, text, cuts, { delivery, newId: () => 'id' }))).toEqual(
        expected,
      );
    }
  });
});

function essence(result: ParseResult): readonly unknown[] {
  const calls = result.toolCalls.map((call) => call.function.name + call.function.arguments);
  const codes = result.diagnostics.filter((one) => one.level !== 'info').map((one) => one.code);
  return [result.content, calls.join(' '), codes.join(' ')];
}

it.each([
  [
    'step3',
    tokens(`[tool_calls_begin] so [tool_call_begin]${invoke('g')}[tool_call_end][tool_calls_end]`),
  ],
  ['hy_v3', '<tool_calls> so <tool_call>g<tool_sep></tool_call></tool_calls>'],
  ['kimi_k2', '<|tool_calls_section_begin|> so <|tool_calls_section_end|>'],
] as const)('%s tells what text it dropped between calls', (format, text) => {
  expect(getParser(format).parse(text).diagnostics).toContainEqual(
    expect.objectContaining({ code: 'section_filler', level: 'info', raw: ' so ' }),
  );
});

describe.each(['deepseek_v32', 'deepseek_v4', 'kimi_k3'])(
  '%s, whose values say their type,',
  (format) => {
    it('carries any argument, its own tags included', () => {
      const hostile = [
        '</｜DSML｜parameter></｜DSML｜invoke>',
        '<|close|>argument<|sep|><|close|>call<|sep|>',
      ];
      const given = JSON.stringify({ a: hostile.join(''), b: { c: hostile }, d: 'plain' });
      const text = getParser(format).render(messageWith(given));
      const read = getParser(format).parse(text).toolCalls[0]?.function.arguments ?? '';
      expect(JSON.parse(read)).toEqual(JSON.parse(given));
    });
  },
);

it.each([
  ['minimax_m2', '</parameter></invoke>'],
  ['minimax_m3', marked('~</a>~</invoke>')],
  ['seed_oss', '</parameter></function>'],
  ['step3', '</steptml:parameter></steptml:invoke>'],
  ['hy_v3', '</arg_value></tool_call>'],
  ['glm47', '</arg_value></tool_call>'],
])('%s carries its own tags inside objects and lists', (format, tags) => {
  const given = JSON.stringify({ a: [tags, { b: tags }] });
  const text = getParser(format).render(messageWith(given));
  const read = getParser(format).parse(text).toolCalls[0]?.function.arguments ?? '';
  expect(JSON.parse(read)).toEqual(JSON.parse(given));
});

function messageWith(text: string): RenderableMessage {
  const call = { id: 'id', type: 'function', function: { name: 'f', arguments: text } } as const;
  return { content: null, reasoning: null, toolCalls: [call] };
}

describe('a long value of any type', () => {
  const read = (value: string): unknown =>
    JSON.parse(
      getParser('glm45').parse(
        `<tool_call>f\n<arg_key>v</arg_key>\n<arg_value>${value}</arg_value>\n</tool_call>`,
      ).toolCalls[0]?.function.arguments ?? '{}',
    );

  it('is JSON when it is exactly that, brackets and quotes in strings aside', () => {
    const value = [{ text: `${'x'.repeat(1000)} [[{{ "\\` }, '\\\\', [1]];
    expect(read(JSON.stringify(value))).toEqual({ v: value });
    expect(read(`${JSON.stringify(value)}]`)).toEqual({ v: `${JSON.stringify(value)}]` });
  });

  it('is a string when it is nested deeper than any value may be', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    expect(read(nested(1000))).toEqual({ v: JSON.parse(nested(1000)) });
    expect(read(nested(1001))).toEqual({ v: nested(1001) });
  });
});
