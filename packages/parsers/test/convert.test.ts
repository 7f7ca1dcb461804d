import { describe, expect, it } from 'vitest';
import { RenderError } from '../src/_core/render/render-error.ts';
import { convert } from '../src/convert.ts';
import { ConvertError } from '../src/convert-error.ts';
import { getParser, listParsers } from '../src/registry.ts';
import type { ToolSchema } from '../src/types.ts';

const text =
  'One moment.\n<tool_call>\n{"name": "f", "arguments": {"a": "x", "n": 9007199254740993}}\n</tool_call>';
const tools: readonly ToolSchema[] = [
  {
    type: 'function',
    function: {
      name: 'f',
      parameters: { properties: { a: { type: 'string' }, n: { type: 'integer' } } },
    },
  },
];

describe('convert', () => {
  it('writes the message in the markup of another format', () => {
    expect(convert(text, 'hermes', 'mistral')).toBe(
      'One moment.[TOOL_CALLS]f[ARGS]{"a": "x", "n": 9007199254740993}',
    );
  });

  it.each(listParsers())('to %s and back gives the same message, numbers exact', (name) => {
    const back = convert(convert(text, 'hermes', name, { tools }), name, 'hermes', { tools });
    const { content, toolCalls } = getParser('hermes').parse(back);
    expect([content, toolCalls.map((call) => call.function.name)]).toEqual(['One moment.', ['f']]);
    expect(toolCalls[0]?.function.arguments.replaceAll(' ', '')).toBe(
      '{"a":"x","n":9007199254740993}',
    );
  });

  it('refuses a text with a call that is cut off', () => {
    const cut = '<tool_call>{"name": "f", "arguments": {"a';
    expect(() => convert(cut, 'hermes', 'mistral')).toThrow(ConvertError);
    expect(() => convert(cut, 'hermes', 'mistral')).toThrow(
      /^A call cannot be converted: .* at 0 \(truncated_call\)$/,
    );
  });

  it('refuses a message that the other format cannot carry', () => {
    expect(() => convert('See [TOOL_CALLS] there.', 'hermes', 'mistral')).toThrow(RenderError);
  });
});
