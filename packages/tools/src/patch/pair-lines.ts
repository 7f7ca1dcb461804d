import { type Change, diffSequences } from './diff-sequences.ts';
import { similarity } from './similarity.ts';

/** From here on a changed line is taken for the same line, changed, rather than for one lost and another come. */
const SAME_LINE = 0.6;
const MOST_LINES = 60;
const EFFORT = 4_000_000;

/** isSameLine: one old line became one new line. */
export type LineChange = Change & Readonly<{ isSameLine: boolean }>;

/** What changed from some lines to others; where a line became another one, that is a change of its own. */
export function diffLines(
  oldLines: readonly string[],
  newLines: readonly string[],
): readonly LineChange[] {
  return diffSequences(oldLines, newLines).flatMap((change) => {
    const pairs = pairsWithin(change, oldLines, newLines);
    return splitAt(change, pairs);
  });
}

type Pair = Readonly<{ oldIndex: number; newIndex: number }>;

function pairsWithin(
  change: Change,
  oldLines: readonly string[],
  newLines: readonly string[],
): readonly Pair[] {
  const { oldStart, oldEnd, newStart, newEnd } = change;
  const [oldCount, newCount] = [oldEnd - oldStart, newEnd - newStart];
  if (Math.max(oldCount, newCount) > MOST_LINES) return [];
  const effort = { left: EFFORT };
  const score = (row: number, column: number): number => {
    const [one, other] = [oldLines[oldStart + row] ?? '', newLines[newStart + column] ?? ''];
    const alike = similarity(one.trim(), other.trim(), effort);
    return one.trim() !== '' && alike >= SAME_LINE ? alike : 0;
  };
  return bestPairs(oldCount, newCount, score).map(({ oldIndex, newIndex }) => ({
    oldIndex: oldStart + oldIndex,
    newIndex: newStart + newIndex,
  }));
}

/** The pairs in order whose scores sum up to the most. */
function bestPairs(
  rows: number,
  columns: number,
  score: (row: number, column: number) => number,
): readonly Pair[] {
  const best = Array.from({ length: rows + 1 }, () => new Float64Array(columns + 1));
  const scores = Array.from({ length: rows }, (_, row) =>
    Float64Array.from({ length: columns }, (_unused, column) => score(row, column)),
  );
  const sumAt = (row: number, column: number): number => best[row]?.[column] ?? 0;
  for (let row = rows - 1; row >= 0; row -= 1) {
    for (let column = columns - 1; column >= 0; column -= 1) {
      const paired = (scores[row]?.[column] ?? 0) + sumAt(row + 1, column + 1);
      const sum = Math.max(paired, sumAt(row + 1, column), sumAt(row, column + 1));
      best[row]?.fill(sum, column, column + 1);
    }
  }
  const pairs: Pair[] = [];
  for (let row = 0, column = 0; row < rows && column < columns; ) {
    if (sumAt(row, column) === sumAt(row + 1, column)) row += 1;
    else if (sumAt(row, column) === sumAt(row, column + 1)) column += 1;
    else pairs.push({ oldIndex: row++, newIndex: column++ });
  }
  return pairs;
}

function splitAt(change: Change, pairs: readonly Pair[]): readonly LineChange[] {
  const parts: LineChange[] = [];
  let { oldStart, newStart } = change;
  const add = (oldEnd: number, newEnd: number, isSameLine: boolean): void => {
    if (oldStart < oldEnd || newStart < newEnd) {
      parts.push({ oldStart, oldEnd, newStart, newEnd, isSameLine });
    }
    oldStart = oldEnd;
    newStart = newEnd;
  };
  for (const { oldIndex, newIndex } of pairs) {
    add(oldIndex, newIndex, false);
    add(oldIndex + 1, newIndex + 1, true);
  }
  add(change.oldEnd, change.newEnd, false);
  return parts;
}
