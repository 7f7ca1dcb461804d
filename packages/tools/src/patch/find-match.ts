import type { Edit, Match, Span } from './edit-types.ts';
import { overlapsItself } from './find-sequence.ts';
import { createHaystack, type Haystack } from './haystack.ts';
import { lineOf } from './nearest-place.ts';
import { STRATEGIES, type Strategy } from './strategies.ts';

const MOST_CHARS = 16_000_000;
const MOST_LINES = 1_000_000;

/** Where an edit fits, and the way in which it was found. */
export type Found = Readonly<{ match: Match; strategy: Strategy }>;

/** Looks for an edit's old text, from the strictest way to the loosest. */
export function findMatch(haystack: Haystack, edit: Edit): Found | null {
  // Blanks alone are the same as other blanks in every loose way of looking.
  const isExactOnly = edit.old.trim() === '' || isHuge(haystack.text);
  return isExactOnly ? findExactly(haystack, edit) : findWith(STRATEGIES, haystack, edit);
}

/** The same by the strictest way alone. */
export function findExactly(haystack: Haystack, edit: Edit): Found | null {
  return findWith(STRATEGIES.slice(0, 1), haystack, edit);
}

/** Beyond this a loose search would take many seconds. */
function isHuge(text: string): boolean {
  return text.length > MOST_CHARS || lineOf(text, text.length) > MOST_LINES;
}

function findWith(strategies: readonly Strategy[], haystack: Haystack, edit: Edit): Found | null {
  for (const strategy of strategies) {
    const match = strategy.find(haystack, edit);
    const spans =
      match?.spans.filter((span) => !edit.wholeLines || isWholeLines(haystack.text, span)) ?? [];
    if (match !== null && spans.length > 0) return { match: { ...match, spans }, strategy };
  }
  return null;
}

function isWholeLines(text: string, { start, end }: Span): boolean {
  const isStart = start === 0 || text[start - 1] === '\n';
  return isStart && (end === text.length || text[end] === '\n' || text[end - 1] === '\n');
}

/** Is it clear which places are meant? */
export function isOnly(text: string, { match, strategy }: Found, edit: Edit): boolean {
  const [only, second] = match.spans;
  if (second !== undefined) return edit.replaceAll === true && strategy.approximate !== true;
  if (edit.replaceAll === true || only === undefined) return true;
  const isExact = text.slice(only.start, only.end) === match.old;
  if (isExact && overlapsItself(text, match.old, only)) return false;
  return strategy.approximate === true || !fitsFurtherDown(text, only, strategy, edit);
}

/** A second place may begin within the first one: a search goes on behind what it found. */
function fitsFurtherDown(
  text: string,
  { start, end }: Span,
  strategy: Strategy,
  edit: Edit,
): boolean {
  const nextLine = text.indexOf('\n', start) + 1;
  if (nextLine === 0 || nextLine >= end) return false;
  return findWith([strategy], createHaystack(text.slice(nextLine)), edit) !== null;
}
