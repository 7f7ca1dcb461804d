import type { ParseOptions, RenderableMessage, ToolCallParser, ToolSchema } from '../types.ts';
import type { Random } from './random.ts';

/** A known text of the format and the options that go with it. */
export type FuzzSeed = Readonly<{ text: string; options?: ParseOptions }>;

/** One text to be tried. `words` stand once each in it, outside all calls that were meant. */
export type FuzzInput = Readonly<{ text: string; options: ParseOptions; words: readonly string[] }>;

const scraps = [
  ' ',
  '\n',
  '\r\n',
  '\t',
  '  \n',
  '{',
  '}',
  '[',
  ']',
  '"',
  "'",
  '\\',
  '\\n',
  ',',
  ':',
  ';',
  '(',
  ')',
  '=',
  '<',
  '>',
  '</',
  '|',
  '0',
  '-1.5e3',
  '12345678901234567890',
  'true',
  'null',
  'None',
  '\u0000',
  '\u001f',
  '"name"',
  '"arguments"',
  '"a":1',
  '{}',
  '{"a":1}',
  '{"name":"f","arguments":{"a":1}}',
  '[{"name":"f","parameters":{}}]',
  '{"name": "f", "arguments": "{\\"a\\": 1}"}',
  'f(a=1)',
  '[f(a="x]")]',
  '```',
  '```json\n',
  'functions.f:0',
  'f',
  '😀',
  '\ud83d',
  '\ude00',
  'é',
  '<think>',
  '</think>',
  '{"a":',
  '"x',
  '\\u00',
  '\\q',
];

/** Makes inputs of all kinds from known texts: written messages, mutations, and soups of markers. */
export function createFuzzInputs(
  parser: ToolCallParser,
  seeds: readonly FuzzSeed[],
  random: Random,
): () => FuzzInput {
  const markers = [...new Set(seeds.flatMap(({ text }) => markersIn(text)))];
  const tokens = [...scraps, ...(markers.length === 0 ? ['<'] : [...markers, ...markers])];
  return () => {
    const seed = random.pick(seeds);
    const options = randomOptions(seed, random);
    const kind = random.below(10);
    if (kind < 4)
      return {
        text: mutated(seed.text, random.pick(seeds).text, tokens, random),
        options,
        words: [],
      };
    if (kind < 6) return withWords(soup(tokens, random), options, random);
    if (kind < 9) return withWords([seed.text, random.pick(seeds).text], options, random);
    return { text: written(parser, random), options, words: [] };
  };
}

/** What looks like a marker: tags, special tokens, names in brackets. */
function markersIn(text: string): readonly string[] {
  return (
    text.match(/<\/?[^\s<>]{1,40}>?|\[\/?[A-Z_]+\]|[\]◁][^\s]{1,14}[[▷]|<\/?[a-z:_]+[ =]/gu) ?? []
  );
}

function randomOptions(seed: FuzzSeed, random: Random): ParseOptions {
  const { tools } = seed.options ?? {};
  return {
    ...(tools !== undefined && random.chance(0.7) && { tools }),
    ...((seed.options?.startInReasoning === true || random.chance(0.1)) && {
      startInReasoning: true,
    }),
    ...(random.chance(0.1) && { repair: false }),
    ...(random.chance(0.05) && { reasoning: false }),
    ...(random.chance(0.05) && { maxDepth: 1 + random.below(5) }),
  };
}

function mutated(given: string, other: string, tokens: readonly string[], random: Random): string {
  let text = given;
  for (let rest = 1 + random.below(3); rest > 0; rest -= 1) {
    const at = random.below(text.length + 1);
    const end = Math.min(text.length, at + random.below(12));
    switch (random.below(6)) {
      case 0:
        text = text.slice(0, at) + text.slice(end);
        break;
      case 1:
        text = text.slice(0, end) + text.slice(at);
        break;
      case 2:
        text = text.slice(0, at);
        break;
      case 3:
        text = text.slice(0, at) + other.slice(random.below(other.length + 1));
        break;
      default:
        text = text.slice(0, at) + random.pick(tokens) + text.slice(at);
    }
  }
  return text;
}

function soup(tokens: readonly string[], random: Random): readonly string[] {
  return Array.from({ length: 1 + random.below(24) }, () => random.pick(tokens));
}

/** Joins pieces with words of their own between some of them, to see where each of them goes. */
function withWords(pieces: readonly string[], options: ParseOptions, random: Random): FuzzInput {
  const words: string[] = [];
  const parts = [...pieces, ''].flatMap((piece) => {
    if (random.chance(0.6)) return [piece];
    words.push(`wq${words.length}qw`);
    return [words.at(-1) ?? '', random.pick(['', ' ', '\n']), piece];
  });
  return { text: parts.join(''), options, words };
}

/** A message in the format's own markup; what it cannot carry is replaced by plain text. */
function written(parser: ToolCallParser, random: Random): string {
  const message = randomMessage(random);
  try {
    return parser.render(message, { tools: toolsOf(message) });
  } catch {
    return message.content ?? '';
  }
}

function randomMessage(random: Random): RenderableMessage {
  const text = (): string => soup(scraps, random).join('');
  return {
    content: random.chance(0.5) ? text() : null,
    reasoning: random.chance(0.3) ? text() : null,
    toolCalls: Array.from({ length: random.below(3) }, (_, index) => ({
      id: `call_${index}`,
      type: 'function',
      function: {
        name: random.pick(['f', 'get_weather', 'a_b']),
        arguments: JSON.stringify(randomArguments(random, text)),
      },
    })),
  };
}

function randomArguments(random: Random, text: () => string): Readonly<Record<string, unknown>> {
  const value = (): unknown =>
    random.pick([
      text,
      () => random.below(99),
      () => null,
      () => [text(), 1.5],
      () => ({ k: text() }),
    ])();
  return Object.fromEntries(
    Array.from({ length: random.below(3) }, (_, index) => [`p${index}`, value()]),
  );
}

function toolsOf(message: RenderableMessage): readonly ToolSchema[] {
  return message.toolCalls.map((call) => ({
    type: 'function',
    function: { name: call.function.name },
  }));
}
