import { type Change, diffSequences } from './diff-sequences.ts';
import type { Edit, Span } from './edit-types.ts';
import { type Haystack, linesOf, spanOfLines, type TextLines } from './haystack.ts';
import { type Effort, similarity } from './similarity.ts';

const ONE_CANDIDATE = 0.5;
const SEVERAL_CANDIDATES = 0.7;
/** Another place that is nearly as good makes it unclear which is meant. */
const CLEARLY_LESS = 0.1;
const ALIKE = 0.8;
const MOST_CANDIDATES = 200;
const EFFORT = 20_000_000;

/** First and last line as given, and what lies between alike. More than one place: all of them, for a refusal. */
export function findByAnchors(haystack: Haystack, edit: Edit): readonly Span[] {
  const block = blockOf(haystack, edit);
  const { wanted, file } = block;
  const [first, last] = [wanted[0] ?? '', wanted.at(-1) ?? ''];
  if (wanted.length < 3 || !isAnchored(file, first, last)) return [];
  const starts = indexesOf(file, first).filter(
    (start) => file.trimmed[start + wanted.length - 1] === last,
  );
  if (starts.length > MOST_CANDIDATES) return [];
  const needed = starts.length === 1 ? ONE_CANDIDATE : SEVERAL_CANDIDATES;
  const scored = starts.flatMap((start) => {
    const scores = scoresAt(block, start);
    return touchedFit(block, scores) ? [{ start, score: middleScore(block, start, scores) }] : [];
  });
  const best = scored.reduce((most, { score }) => Math.max(most, score), 0);
  const fitting = best < needed ? [] : scored.filter(({ score }) => score >= best - CLEARLY_LESS);
  return fitting.map(({ start }) => spanOfLines(file, start, wanted.length, block.ended));
}

/** A bare bracket or a blank line says where only together with a line that the file has once. */
function isAnchored(file: TextLines, first: string, last: string): boolean {
  const telling = [first, last].filter(hasWord);
  return telling.length === 2 || telling.some((line) => indexesOf(file, line).length === 1);
}

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
  return fitting.map(({ first }) =>
    spanOfLines(block.file, first, block.wanted.length, block.ended),
  );
}

/** changes: what the edit makes of the wanted lines. All lines trimmed. */
type Block = Readonly<{
  wanted: readonly string[];
  ended: boolean;
  changes: readonly Change[];
  file: TextLines;
  effort: Effort;
}>;

function blockOf(haystack: Haystack, edit: Edit): Block {
  const { lines, ended } = linesOf(edit.old);
  const changes = diffSequences(lines, linesOf(edit.new).lines);
  const wanted = lines.map((line) => line.trim());
  return { wanted, ended, changes, file: haystack.lines(), effort: { left: EFFORT } };
}

function scoresAt({ wanted, file, effort }: Block, first: number): readonly number[] {
  return wanted.map((line, index) => similarity(line, file.trimmed[first + index] ?? '', effort));
}

/** The lines between the anchors; long ones count more. */
function middleScore({ wanted, file }: Block, first: number, scores: readonly number[]): number {
  let sum = 0;
  let weights = 0;
  for (let index = 1; index < wanted.length - 1; index += 1) {
    const weight = (wanted[index] ?? '').length + (file.trimmed[first + index] ?? '').length;
    sum += (scores[index] ?? 0) * weight;
    weights += weight;
  }
  return weights === 0 ? 1 : sum / weights;
}

/** No line goes that is unlike the one that was meant. */
function touchedFit({ changes }: Block, scores: readonly number[]): boolean {
  return changes.every(({ oldStart, oldEnd }) =>
    scores.slice(oldStart, oldEnd).every((score) => score >= ONE_CANDIDATE),
  );
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

function indexesOf({ trimmed }: TextLines, line: string): readonly number[] {
  return trimmed.flatMap((candidate, index) => (candidate === line ? [index] : []));
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

/** A bare bracket or a blank line says nothing about the place. */
function hasWord(line: string | undefined): boolean {
  return /[\p{L}\p{N}]/u.test(line ?? '');
}
