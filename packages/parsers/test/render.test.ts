import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compactJson } from '../src/_core/render/render.ts';
import { RenderError } from '../src/_core/render/render-error.ts';
import { builtinParsers } from '../src/registry.ts';
import type { RenderableMessage, ToolCall, ToolCallParser, ToolSchema } from '../src/types.ts';

const markers = [
  '<tool_call>',
  '</tool_call>',
  '[TOOL_CALLS]',
  '[ARGS]',
  '</parameter>',
  '<parameter=b>',
  '</function>',
  '<think>',
  '</think>',
  '<|tool_call_end|>',
  '<｜tool▁call▁end｜>',
  '```',
  ')]',
  '\n',
  '"',
  '\\',
  '{',
  '}',
  '😀',
  '\ud800',
];
const text = fc
  .array(fc.oneof(fc.constantFrom(...markers), fc.string()), { maxLength: 5 })
  .map((parts) => parts.join(''));
const key = fc.stringMatching(/^[a-z_]{1,8}$/);
const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 3 }),
  ),
})).value;
const call = fc.record({
  name: fc.stringMatching(/^[a-z][a-z_]{0,8}$/),
  arguments: fc.dictionary(key, value, { maxKeys: 4 }),
});
const message = fc
  .record({
    content: fc.option(text),
    reasoning: fc.option(text),
    calls: fc.array(call, { maxLength: 3 }),
  })
  .map(toMessage);

function toMessage(parts: {
  content: string | null;
  reasoning: string | null;
  calls: readonly { name: string; arguments: object }[];
}): RenderableMessage {
  const toolCalls = parts.calls.map(
    (one, index): ToolCall => ({
      id: `id_${index}`,
      type: 'function',
      function: { name: one.name, arguments: JSON.stringify(one.arguments) },
    }),
  );
  return { content: parts.content, reasoning: parts.reasoning, toolCalls };
}

/** Declares each value's own type, for formats whose values are bare text. */
function toolsOf(rendered: RenderableMessage): readonly ToolSchema[] {
  return rendered.toolCalls.map((one) => {
    const values = JSON.parse(one.function.arguments) as Readonly<Record<string, unknown>>;
    const properties = Object.fromEntries(
      Object.entries(values).map(([name, item]) => [name, { type: typeName(item) }]),
    );
    return {
      type: 'function',
      function: { name: one.function.name, parameters: { type: 'object', properties } },
    };
  });
}

function typeName(item: unknown): string {
  if (item === null) return 'null';
  return Array.isArray(item) ? 'array' : typeof item;
}

/** The message again, or null where the format says that it cannot carry it. */
function roundTrip(parser: ToolCallParser, given: RenderableMessage): RenderableMessage | null {
  const tools = toolsOf(given);
  try {
    return parser.parse(parser.render(given, { tools }), { tools });
  } catch (error) {
    if (RenderError.isInstance(error)) return null;
    throw error;
  }
}

function essence(given: RenderableMessage): unknown {
  const calls = given.toolCalls.map((one) => [
    one.function.name,
    JSON.parse(one.function.arguments) as unknown,
  ]);
  return [given.content ?? '', given.reasoning ?? '', calls];
}

describe.each(builtinParsers.map((parser) => [parser.name, parser] as const))('%s', (_, parser) => {
  it('reads what it wrote as the same message, or refuses to write it', () => {
    fc.assert(
      fc.property(message, (given) => {
        const read = roundTrip(parser, given);
        if (read !== null) expect(essence(read)).toEqual(essence(given));
      }),
      { seed: 7, numRuns: 300 },
    );
  });

  it('carries any string as an argument of one call', () => {
    const tools: readonly ToolSchema[] = [
      {
        type: 'function',
        function: { name: 'f', parameters: { properties: { a: { type: 'string' } } } },
      },
    ];
    const hostile = [
      '',
      ' x ',
      'true',
      '12',
      '{"a":1}',
      'a\nb',
      '\t',
      '"',
      "'",
      '\\',
      'ü 😀 \ud800',
      '<tool_call>',
      '[TOOL_CALLS]',
      '```',
      ')]',
    ];
    for (const a of hostile) {
      const given = toMessage({
        content: 'Ok.',
        reasoning: null,
        calls: [{ name: 'f', arguments: { a } }],
      });
      expect(essence(parser.parse(parser.render(given, { tools }), { tools }))).toEqual(
        essence(given),
      );
    }
  });

  it('refuses arguments that are no JSON object', () => {
    for (const text of ['', 'no JSON', '[1]', '{"a":1', '{"a":1} x']) {
      const call: ToolCall = {
        id: 'a',
        type: 'function',
        function: { name: 'f', arguments: text },
      };
      expect(() => parser.render({ content: null, reasoning: null, toolCalls: [call] })).toThrow(
        /cannot carry the (calls|content) of this message|arguments (must be a|are no) JSON/,
      );
    }
  });
});

it('compactJson spells a string of any length', () => {
  const json = `{ "a" : "${'\\"'.repeat(10_000_000)}" }`;
  expect(compactJson(json) === json.replaceAll(' ', '')).toBe(true);
  expect(() => compactJson('{"a')).toThrow(SyntaxError);
});
