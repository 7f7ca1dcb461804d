import { type Block, blockOf, hasWord, scoresAt, spanAt, touchedFit } from './approximate-block.ts';
import type { Change } from './diff-sequences.ts';
import type { Edit, Span } from './edit-types.ts';
import type { Haystack } from './haystack.ts';

const ALIKE = 0.8;
const MOST_CANDIDATES = 200;

/**
 * At least half of the lines alike. Such a place is believed only where a line of it, found nowhere
 * else, says which it is, and where what the edit changes lies between lines that are alike: else a
 * line that the model forgot would shift it.
 */
export function findByContext(haystack: Haystack, edit: Edit): readonly Span[] {
  const block = blockOf(haystack, edit);
  const firsts = block.wanted.length < 2 ? [] : startsByUniqueLine(block);
  if (firsts.length > MOST_CANDIDATES) return [];
  const fitting = firsts
    .map((first) => ({ first, scores: scoresAt(block, first) }))
    .filter(({ scores }) => scores.filter((score) => score >= ALIKE).length * 2 >= scores.length);
  // Of two such places one may only seem right: where a line is forgotten, the others speak for both.
  const [only] = fitting;
  if (fitting.length === 1 && only !== undefined && !isSurrounded(block, only.scores)) return [];
  return fitting.map(({ first }) => spanAt(block, first));
}

/** Where the block would begin by those of its lines that the file has exactly once. */
function startsByUniqueLine({ wanted, file }: Block): readonly number[] {
  const places = new Map<string, number>(wanted.filter(hasWord).map((line) => [line, -1]));
  const repeated = repeatedOf(wanted);
  file.trimmed.forEach((line, index) => {
    const place = places.get(line);
    if (place === undefined) return;
    if (place !== -1) repeated.add(line);
    places.set(line, index);
  });
  const starts = wanted.flatMap((line, index) => {
    const place = places.get(line) ?? -1;
    return place < index || repeated.has(line) ? [] : [place - index];
  });
  const last = file.lines.length - wanted.length;
  return [...new Set(starts)].filter((start) => start <= last);
}

function repeatedOf(lines: readonly string[]): Set<string> {
  const seen = new Set<string>();
  return new Set(lines.filter((line) => seen.size === seen.add(line).size));
}

function isSurrounded(block: Block, scores: readonly number[]): boolean {
  const { wanted, changes } = block;
  const alike = scores.flatMap((score, index) => (score >= ALIKE ? [index] : []));
  const [firstAlike, lastAlike] = [alike[0], alike.at(-1)];
  if (firstAlike === undefined || lastAlike === undefined) return false;
  const within = changes.every((change) => {
    const [first, last] = linesAt(change, wanted.length);
    return firstAlike <= first && last <= lastAlike;
  });
  return within && touchedFit(block, scores);
}

/** The lines that a change touches; where it adds some, also those beside them. */
function linesAt(
  { oldStart, oldEnd, newStart, newEnd }: Change,
  count: number,
): readonly [number, number] {
  const isGrowing = newEnd - newStart > oldEnd - oldStart;
  const first = oldStart === oldEnd ? Math.max(0, oldStart - 1) : oldStart;
  return [first, Math.min(count, isGrowing ? oldEnd + 1 : oldEnd) - 1];
}
