import type { ParseOptions, ToolCallParser } from '../types.ts';
import type { Random } from './random.ts';
import { scraps, soup } from './scraps.ts';
import { writtenMessage } from './written-message.ts';

/** A known text of the format and the options that go with it. */
export type FuzzSeed = Readonly<{ text: string; options?: ParseOptions }>;

/** One text to be tried. `words` stand once each in it, outside all calls that were meant. */
export type FuzzInput = Readonly<{ text: string; options: ParseOptions; words: readonly string[] }>;

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
    return { text: writtenMessage(parser, random), options, words: [] };
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
