import { describe, expect, it } from 'vitest';
import { getParser } from '../src/registry.ts';
import type { ParseResult } from '../src/types.ts';
import { cutsOf, streamed } from './_vectors.ts';

const begin = '<|tool_calls_section_begin|>';
const end = '<|tool_calls_section_end|>';
const call = (id: string, body: string): string =>
  `<|tool_call_begin|>${id}<|tool_call_argument_begin|>${body}<|tool_call_end|>`;

/** The result; the same at any chunking. */
function read(text: string): ParseResult {
  const parser = getParser('kimi_k2');
  const result = parser.parse(text);
  for (const cuts of cutsOf(text)) expect(streamed(parser, text, cuts, {})).toEqual(result);
  return result;
}

describe('a broken call behind a good one', () => {
  const good = call('functions.f:0', '{"a":1}');

  it('has no name when its head is broken, least of all that of the call before', () => {
    const broken = '<|tool_call_begin|>functions.g:1{"b":2}<|tool_call_end|>';
    const { toolCalls, diagnostics } = read(begin + good + broken + end);
    expect(toolCalls).toHaveLength(1);
    expect(diagnostics).toEqual([
      {
        code: 'malformed_call',
        level: 'error',
        message: 'malformed call',
        span: { start: (begin + good).length, end: (begin + good + broken).length },
        raw: broken,
      },
    ]);
  });

  it('has invalid arguments when one of its strings is never closed', () => {
    const unclosed = call('functions.g:1', '{"b":"x');
    for (const before of ['', good, call('functions.f:0', '{x}')])
      expect(read(begin + before + unclosed + end).diagnostics.at(-1)).toMatchObject({
        code: 'invalid_arguments',
        name: 'g',
        raw: unclosed,
      });
  });
});

it('a bracket too many stays where no end marker follows it', () => {
  const open = '<|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{"a":1}';
  const { content, toolCalls, diagnostics } = read(`${open}} and so on`);
  expect([content, toolCalls.length]).toEqual(['} and so on', 1]);
  expect(diagnostics.map(({ code }) => code)).toEqual(['missing_wrapper', 'unclosed_call']);
});
