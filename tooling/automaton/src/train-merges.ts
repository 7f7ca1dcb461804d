import { byteCharacters, toByteCharacters } from './byte-characters.ts';

/** The words of GPT-2: what byte pairs may be merged in. */
const WORDS = /'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu;

type Word = { parts: string[]; readonly count: number };
type Pair = Readonly<{ left: string; right: string; count: number }>;

/** A byte-level vocabulary, and in which order its parts are put together. */
export type Merges = Readonly<{
  tokens: readonly string[];
  pairs: readonly (readonly [string, string])[];
}>;

/**
 * Byte pair encoding learned from a corpus, until its words are single tokens. Of pairs that are
 * equally frequent the one of the lower ids comes first, as the Rust `tokenizers` do it.
 */
export function trainMerges(corpus: readonly string[], firstTokens: readonly string[]): Merges {
  const tokens = [...firstTokens, ...[...byteCharacters].sort()];
  const idOf = new Map(tokens.map((token, id) => [token, id]));
  const words = countWords(corpus);
  const pairs: [string, string][] = [];
  for (let pair = bestPair(words, idOf); pair !== null; pair = bestPair(words, idOf)) {
    const { left, right } = pair;
    pairs.push([left, right]);
    if (!idOf.has(left + right)) idOf.set(left + right, tokens.push(left + right) - 1);
    for (const word of words) word.parts = mergeIn(word.parts, left, right);
  }
  return { tokens, pairs };
}

function countWords(corpus: readonly string[]): Word[] {
  const counts = new Map<string, number>();
  for (const text of corpus)
    for (const [word] of text.matchAll(WORDS)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].map(([word, count]) => ({ parts: [...toByteCharacters(word)], count }));
}

function bestPair(words: readonly Word[], idOf: ReadonlyMap<string, number>): Pair | null {
  const rank = (token: string): number => idOf.get(token) ?? 0;
  const isBetter = (a: Pair, b: Pair): boolean =>
    (a.count - b.count || rank(b.left) - rank(a.left) || rank(b.right) - rank(a.right)) > 0;
  let best: Pair | null = null;
  for (const pair of countPairs(words)) if (best === null || isBetter(pair, best)) best = pair;
  return best;
}

function countPairs(words: readonly Word[]): Iterable<Pair> {
  const counts = new Map<string, Pair>();
  for (const { parts, count } of words)
    for (const [index, right] of parts.slice(1).entries()) {
      const left = parts[index] ?? '';
      const key = `${left} ${right}`;
      counts.set(key, { left, right, count: (counts.get(key)?.count ?? 0) + count });
    }
  return counts.values();
}

function mergeIn(parts: readonly string[], left: string, right: string): string[] {
  const merged: string[] = [];
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index] ?? '';
    const isPair = part === left && parts[index + 1] === right;
    merged.push(isPair ? left + right : part);
    if (isPair) index += 1;
  }
  return merged;
}
