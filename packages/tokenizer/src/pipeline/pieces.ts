import { findMatches, type Match } from './pattern.ts';

/**
 * A text in pieces, in order. `starts` are places in the normalized text; a character that was put
 * before the text has a place below zero. `areBytes`: the model shall see the bytes of each piece.
 */
export type Pieces = Readonly<{
  texts: readonly string[];
  starts: readonly number[];
  areBytes: boolean;
}>;

/** What becomes of the matches when a text is split at them. */
export type SplitBehavior =
  | 'Removed'
  | 'Isolated'
  | 'MergedWithPrevious'
  | 'MergedWithNext'
  | 'Contiguous';

/** Splits a piece at the matches of a pattern; `invert`: at what lies between them. */
export function splitAt(
  text: string,
  pattern: RegExp,
  behavior: SplitBehavior,
  invert = false,
): Match[] {
  const found = findMatches(text, pattern);
  const matches = invert ? found.map((one) => ({ ...one, isMatch: !one.isMatch })) : found;
  const parts = BEHAVIORS[behavior](matches);
  return parts.filter((part) => part.end > part.start);
}

const BEHAVIORS: Readonly<Record<SplitBehavior, (matches: Match[]) => Match[]>> = {
  Removed: (matches) => matches.filter((match) => !match.isMatch),
  Isolated: (matches) => matches,
  Contiguous: (matches) => merged(matches, (match, previous) => match.isMatch === previous),
  MergedWithPrevious: (matches) => merged(matches, (match, previous) => match.isMatch && !previous),
  MergedWithNext: mergedWithNext,
};

/** Joins a match to the part before it where `joins` says so. */
function merged(
  matches: readonly Match[],
  joins: (match: Match, wasMatch: boolean) => boolean,
): Match[] {
  const parts: Match[] = [];
  let wasMatch = false;
  for (const match of matches) {
    const last = parts.at(-1);
    if (last !== undefined && joins(match, wasMatch))
      parts[parts.length - 1] = { ...last, end: match.end };
    else parts.push(match);
    wasMatch = match.isMatch;
  }
  return parts;
}

function mergedWithNext(matches: Match[]): Match[] {
  const parts: Match[] = [];
  let wasMatch = false;
  for (const match of matches.toReversed()) {
    const last = parts.at(-1);
    if (last !== undefined && match.isMatch && !wasMatch)
      parts[parts.length - 1] = { ...last, start: match.start };
    else parts.push(match);
    wasMatch = match.isMatch;
  }
  return parts.reverse();
}

/** Splits each piece anew; `split` gets a piece and returns the parts of it that stay. */
export function splitPieces(pieces: Pieces, split: (text: string) => readonly Match[]): Pieces {
  const texts: string[] = [];
  const starts: number[] = [];
  pieces.texts.forEach((text, index) => {
    const base = pieces.starts[index] ?? 0;
    for (const part of split(text)) {
      texts.push(text.slice(part.start, part.end));
      starts.push(base + part.start);
    }
  });
  return { texts, starts, areBytes: pieces.areBytes };
}
