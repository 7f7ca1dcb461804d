import type { ToolCallParser, ToolSchema } from '../src/types.ts';

/** The tool that the calls of the benchmarks are for. */
export const tools: readonly ToolSchema[] = [
  {
    type: 'function',
    function: {
      name: 'f',
      parameters: {
        type: 'object',
        properties: { text: { type: 'string' }, rows: { type: 'array' } },
      },
    },
  },
];

/** One call in the markup of the format. */
export function writeCall(
  parser: ToolCallParser,
  value: Readonly<Record<string, unknown>>,
): string {
  const call = { name: 'f', arguments: JSON.stringify(value) };
  const toolCalls = [{ id: 'call_1', type: 'function', function: call } as const];
  return parser.render({ content: null, reasoning: null, toolCalls }, { tools });
}

/** Texts of a kind whose length can be chosen; each is about `length` characters long. */
export function hostileTexts(
  parser: ToolCallParser,
): Readonly<Record<string, (length: number) => string>> {
  const call = writeCall(parser, { text: 'x' });
  const [before = '', after = ''] = writeCall(parser, { text: 'VALUE' }).split('VALUE');
  const marker = call.slice(0, Math.max(1, call.search(/[\s[{(a-z]*f\b/)) || 1);
  const repeat = (piece: string, length: number): string =>
    piece.repeat(Math.ceil(length / piece.length));
  const closers = after.split(/(?=[<\])])/);
  const beforeClosers = (piece: string, length: number): string =>
    closers.map((closer) => repeat(piece, length / closers.length) + closer).join('');
  return {
    'one call, one long string': (length) => before + repeat('plain words, ', length) + after,
    'a string without an end': (length) => before + repeat('plain words, ', length),
    'many small calls': (length) => repeat(`${call}\n`, length),
    'the opening marker again and again': (length) => repeat(marker, length),
    'almost the opening marker': (length) =>
      repeat(call.slice(0, Math.max(1, marker.length - 1)), length),
    'a call that never ends, again and again': (length) => repeat(before, length),
    'closing markers inside a value': (length) => `${before}${repeat(`${after}a`, length)}`,
    'opening braces': (length) => repeat('{', length),
    'opening braces in a call': (length) => before + repeat('{"a":', length),
    'opening brackets in a call': (length) => before + repeat('[', length),
    'backslashes in a call': (length) => before + repeat('\\', length),
    'white space': (length) => `a${repeat(' \n', length)}${call}`,
    'white space in a call': (length) => before + after.slice(0, 1) + repeat(' \n', length),
    'white space before closing markers': (length) => `${before}x${beforeClosers(' \n', length)}`,
    'braces before closing markers': (length) => `${before}x${beforeClosers('}', length)}`,
    'a long name of a parameter': (length) => writeCall(parser, { [repeat('a', length / 2)]: 'x' }),
    'ends of a turn after a call': (length) => call + repeat('\n<|im_end|>', length),
    'digits in a call': (length) => before.replace(/["']+$/, '') + repeat('1', length),
    'reasoning without an end, with calls': (length) => `<think>${repeat(`hm ${call}`, length)}`,
    'prose full of brackets': (length) => repeat('see [a](b) and {c} or <d> ```x``` f(1) ', length),
  };
}
