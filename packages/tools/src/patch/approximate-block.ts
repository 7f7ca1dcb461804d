import { type Change, diffSequences } from './diff-sequences.ts';
import type { Edit, Span } from './edit-types.ts';
import { type Haystack, linesOf, spanOfLines, type TextLines } from './haystack.ts';
import { type Effort, similarity } from './similarity.ts';

const EFFORT = 20_000_000;
/** Less alike than this, a line is another line. */
const SAME_LINE = 0.5;

/** changes: what the edit makes of the wanted lines. All lines trimmed. */
export type Block = Readonly<{
  wanted: readonly string[];
  ended: boolean;
  changes: readonly Change[];
  file: TextLines;
  effort: Effort;
}>;

/** The block that an edit asks for, and the file to find it in. */
export function blockOf(haystack: Haystack, edit: Edit): Block {
  const { lines, ended } = linesOf(edit.old);
  const changes = diffSequences(lines, linesOf(edit.new).lines);
  const wanted = lines.map((line) => line.trim());
  return { wanted, ended, changes, file: haystack.lines(), effort: { left: EFFORT } };
}

/** Where a block of that length stands that begins with a line of the file (0-based). */
export function spanAt({ file, wanted, ended }: Block, first: number): Span {
  return spanOfLines(file, first, wanted.length, ended);
}

/** How alike each wanted line is to the file's, if the block begins there. */
export function scoresAt({ wanted, file, effort }: Block, first: number): readonly number[] {
  return wanted.map((line, index) => similarity(line, file.trimmed[first + index] ?? '', effort));
}

/** No line goes that is unlike the one that was meant. */
export function touchedFit({ changes }: Block, scores: readonly number[]): boolean {
  return changes.every(({ oldStart, oldEnd }) =>
    scores.slice(oldStart, oldEnd).every((score) => score >= SAME_LINE),
  );
}

/** A bare bracket or a blank line says nothing about the place. */
export function hasWord(line: string | undefined): boolean {
  return /[\p{L}\p{N}]/u.test(line ?? '');
}
