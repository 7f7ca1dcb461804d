import type { Tokenizer } from '@hermes/protocol';

/** Tells for each token whether the text so far has one of the stops, and which. */
export function createStopFinder(
  stops: readonly string[],
  tokenizer: Tokenizer,
): (id: number) => string | null {
  const wanted = stops.filter((stop) => stop !== '');
  if (wanted.length === 0) return () => null;
  const longest = Math.max(...wanted.map((stop) => stop.length));
  const decoder = tokenizer.decoder();
  let tail = '';
  return (id) => {
    const text = tail + decoder.push([id]);
    // What is behind it may be the beginning of a stop that the next token completes.
    tail = text.slice(Math.max(0, text.length - longest + 1));
    const found = wanted.filter((stop) => text.includes(stop));
    return found.sort((a, b) => text.indexOf(a) - text.indexOf(b))[0] ?? null;
  };
}
