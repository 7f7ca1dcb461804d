import { describe, expect, it } from 'vitest';
import { markedJsonParser } from '../src/_core/json-calls/marked-json.ts';
import { builtinParsers, createParserRegistry, getParser, listParsers } from '../src/registry.ts';
import { UnknownFormatError } from '../src/unknown-format-error.ts';

const hermes = getParser('hermes');

describe('the registry', () => {
  it('lists all names and aliases in order', () => {
    expect(listParsers()).toEqual([...listParsers()].sort());
    expect(listParsers()).toContain('qwen3_code');
  });

  it('answers an unknown name with all names and the nearest one', () => {
    expect(() => getParser('hermis')).toThrow(UnknownFormatError);
    expect(() => getParser('hermis')).toThrow(
      /'hermis' not found. Did you mean 'hermes'\? Available parsers: \[.*mistral/,
    );
  });
});

describe.each(builtinParsers.map((parser) => [parser.name, parser] as const))('%s', (_, parser) => {
  it('says what was passed in place of a string', () => {
    expect(() => parser.parse(null as unknown as string)).toThrow(
      new TypeError('parse needs string, but was given null'),
    );
  });

  it('leaves text without markup as it is', () => {
    const text = '  Plain < text > with {braces}, [brackets] and\n\n"quotes".  ';
    expect(parser.parse(text)).toEqual({
      content: text,
      reasoning: null,
      toolCalls: [],
      diagnostics: [],
    });
  });
});

describe('a call object', () => {
  it('takes no member without a key for its arguments', () => {
    const text = '<tool_call>{"name": "f", "": {"a": 1}}</tool_call>';
    expect(hermes.parse(text).toolCalls[0]?.function.arguments).toBe('{}');
  });

  it('keeps a number as it is written', () => {
    const text = '<tool_call>{"name": "f", "arguments": {"a": -0.10e+2, "b": 01}}</tool_call>';
    expect(hermes.parse(text).diagnostics[0]?.code).toBe('malformed_call');
    expect(hermes.parse(text.replace('01', '1')).toolCalls[0]?.function.arguments).toBe(
      '{"a": -0.10e+2, "b": 1}',
    );
  });
});

it.each(['\\U0041', '\\U00', '\\uD83d', '\\u00e', '\\x41'])('a string may hold %s', (held) => {
  const text = `<tool_call>{"name":"f","arguments":{"a":"${held}"}}</tool_call>`;
  const isKnown = held === '\\uD83d';
  const { toolCalls, diagnostics } = hermes.parse(text);
  expect(toolCalls[0]?.function.arguments).toBe(`{"a":"${isKnown ? '' : '\\'}${held}"}`);
  expect(diagnostics.map(({ code }) => code)).toEqual(isKnown ? [] : ['repaired_call']);
});

describe('a stream', () => {
  it('sends arguments as they arrive when asked to', () => {
    const stream = hermes.stream({ delivery: 'incremental', newId: () => 'one' });
    expect(stream.push('<tool_call>{"name":"f","arguments":{"a":"x')).toEqual([
      { type: 'call_start', index: 0, id: 'one', name: 'f' },
      { type: 'call_arguments', index: 0, text: '{"a":"x' },
    ]);
    expect(stream.push('y"}}')).toEqual([
      { type: 'call_arguments', index: 0, text: 'y"}' },
      { type: 'call_end', index: 0 },
    ]);
  });

  it('sends the brackets that were missing from the arguments', () => {
    const stream = hermes.stream({ delivery: 'incremental' });
    stream.push('<tool_call>{"name":"f","arguments":{"a":{"b":1}</tool_call>');
    expect(stream.finish().result.toolCalls[0]?.function.arguments).toBe('{"a":{"b":1}}');
    stream.reset();
    stream.push('<tool_call>{"name":"f","arguments":{"a":{"b":1</tool_call>');
    expect(stream.finish().result.toolCalls[0]?.function.arguments).toBe('{"a":{"b":1}}');
  });

  it('gives the same result in both deliveries after a broken call', () => {
    const text =
      '<tool_call>\n{"name":"f","arguments":{"a":x}}</tool_call>{"name":"g","arguments":{}}</tool_call>';
    const stream = hermes.stream({ delivery: 'incremental' });
    for (const character of text) stream.push(character);
    expect(stream.finish().result).toEqual(hermes.parse(text));
    expect(hermes.parse(text).diagnostics[0]).toMatchObject({
      code: 'malformed_call',
      span: { start: 0 },
    });
  });

  it('takes a call back that proves broken', () => {
    const stream = hermes.stream({ delivery: 'incremental' });
    stream.push('<tool_call>{"name":"f","arguments":{"a":');
    expect(stream.finish().events).toMatchObject([
      { type: 'call_abort', index: 0, diagnostic: { code: 'truncated_call', name: 'f' } },
    ]);
  });

  it('never splits a surrogate pair between two events', () => {
    const stream = hermes.stream();
    expect([stream.push('a\ud83d'), stream.push('\ude00')]).toEqual([
      [{ type: 'content', text: 'a' }],
      [{ type: 'content', text: '\ud83d\ude00' }],
    ]);
  });

  it('finishes once and refuses more text until it is reset', () => {
    const stream = hermes.stream();
    stream.push('Hi');
    expect(stream.finish()).toBe(stream.finish());
    expect(() => stream.push('more')).toThrow('push after finish');
    stream.reset();
    stream.push('Again');
    expect(stream.finish().result.content).toBe('Again');
  });
});

describe('mistral', () => {
  const mistral = getParser('mistral');

  it('forgives brackets too many before a marker or the end', () => {
    const text = '[TOOL_CALLS]f[ARGS]{"a":1}}[TOOL_CALLS]g[ARGS]{}]}\n';
    const { content, toolCalls, diagnostics } = mistral.parse(text);
    expect(content).toBeNull();
    expect(toolCalls.map((call) => call.function.arguments)).toEqual(['{"a":1}', '{}']);
    expect(
      diagnostics.map(({ code }) => code).filter((code) => code === 'repaired_call'),
    ).toHaveLength(2);
  });

  it('leaves brackets that belong to prose', () => {
    const { content, diagnostics } = mistral.parse('[TOOL_CALLS]f[ARGS]{"a":1}] is a bracket');
    expect(content).toBe('] is a bracket');
    expect(diagnostics).toEqual([]);
  });
});

describe('what is no message, format or parser', () => {
  const nothing = {} as never;
  it.each([
    ['toolCalls', () => hermes.render(nothing)],
    ['opens of the format', () => markedJsonParser(nothing)],
    ['the name of a parser', () => createParserRegistry([nothing])],
  ])('is refused by what is missing: %s', (what, use) => {
    expect(use).toThrow(TypeError);
    expect(use).toThrow(`${what} needs `);
  });
});

describe('options', () => {
  it('names the deliveries there are in place of an unknown one', () => {
    const delivery = 'foo' as unknown as 'whole';
    expect(() => hermes.stream({ delivery })).toThrow(
      new TypeError("the option delivery is 'whole' or 'incremental', not 'foo'"),
    );
    expect(() => hermes.parse('', { delivery })).toThrow(TypeError);
  });

  it.each([
    ['hermes', '<tool_call>{"name":"f","arguments":VALUE}</tool_call>', '{"a":', '}'],
    ['pythonic', '[f(VALUE)]', 'a=', ''],
    ['gemma4', '<|tool_call>call:f{VALUE}<tool_call|>', 'a:', ''],
  ])('read %s up to the depth that is allowed, however deep', (format, call, before, after) => {
    const nested = (depth: number): string => {
      const list = '['.repeat(depth) + ']'.repeat(depth);
      return call.replace('VALUE', before + list + after);
    };
    const callsIn = (text: string, maxDepth?: number): number =>
      getParser(format).parse(text, { ...(maxDepth !== undefined && { maxDepth }) }).toolCalls
        .length;
    expect(callsIn(nested(990))).toBe(1);
    expect(callsIn(nested(1001))).toBe(0);
    expect(callsIn(nested(2), 5)).toBe(1);
    expect(callsIn(nested(5), 5)).toBe(0);
    expect(callsIn(nested(100_000), 200_000)).toBe(1);
  });

  it('of a wrong type are named', () => {
    const wrong = { repair: 'no' } as unknown as { repair: boolean };
    expect(() => hermes.parse('Hi', wrong)).toThrow(
      new TypeError('the option repair needs boolean, but was given string'),
    );
  });
});

describe('white space around an end-of-turn token between two calls', () => {
  const call = '<tool_call>{"name":"f","arguments":{}}</tool_call>';

  it('stays before the token and goes before the call', () => {
    expect(hermes.parse(`x${call}\n<|im_end|>\n${call}y`).content).toBe('x\ny');
  });
});
