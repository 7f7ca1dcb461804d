import { alignLines } from './align-lines.ts';
import { diffSequences } from './diff-sequences.ts';
import { findReindent, type IndentPair, indentationOf, type Reindent } from './indentation.ts';
import type { Blocks } from './indentation-style.ts';
import type { LineChange } from './pair-lines.ts';
import { similarity } from './similarity.ts';

/** A line that is less like the one that it was taken for tells nothing about indentation. */
const ALIKE = 0.5;
const EFFORT = 4_000_000;

/** New lines that are indented as the file is already; those that were asked for as the file has them. */
export function linesInPlace({ wanted, next, there }: Blocks): readonly string[] {
  const aligned = alignLines(wanted, next);
  return next.map((line, index) => {
    const at = aligned[index] ?? -1;
    const found = there[at] ?? '';
    const isKept = at !== -1 && wanted[at]?.trim() === line.trim();
    return isKept && indentationOf(found) === indentationOf(line) ? found : line;
  });
}

/** The new lines as the file would have them. null: one of them cannot be indented. */
export function adaptedLines(
  blocks: Blocks,
  changes: readonly LineChange[],
): readonly string[] | null {
  const pairs = pairsOf(blocks);
  const isCut = isFirstCut(pairs);
  const way = { isCut, reindent: findReindent(isCut ? pairs.slice(1) : pairs) };
  const lines = [...blocks.next];
  for (const change of changes) {
    for (let index = change.newStart; index < change.newEnd; index += 1) {
      const line = adapted(blocks, change, index, way);
      if (line === null) return null;
      lines[index] = line;
    }
  }
  return lines;
}

/** isCut: the first line was given without its indentation. */
type Way = Readonly<{ isCut: boolean; reindent: Reindent }>;

/** A line that an old one became is like the file's line wherever it is like the old one. */
function adapted(
  { wanted, next, there }: Blocks,
  { oldStart, oldEnd, isSameLine }: LineChange,
  index: number,
  { isCut, reindent }: Way,
): string | null {
  const line = next[index] ?? '';
  if (line.trim() === '') return line;
  const [old, found] = [wanted[oldStart] ?? '', there[oldStart] ?? ''];
  const own = indentationOf(line);
  const isFirst = index === 0 && (oldEnd - oldStart === 1 || (isCut && oldStart < oldEnd));
  const staysInPlace = (isSameLine || isFirst) && own === indentationOf(old);
  const indentation = staysInPlace ? indentationOf(found) : reindent(own);
  const rest = isSameLine ? bodyLikeFound(old, line, found) : line.slice(own.length);
  return indentation === null ? null : indentation + rest;
}

const TOKEN = /[\p{L}\p{M}\p{N}_]+|[ \t]+|\.{3}|./gsu;

/** Blanks, quotes and dashes that the new line has from the old one, as the file spells them. */
function bodyLikeFound(old: string, line: string, found: string): string {
  const [wanted, next, there] = [old, line, found].map(tokensOf);
  const hasOwnEnd = blanksAfter(line) !== blanksAfter(old);
  const after = blanksAfter(hasOwnEnd ? line : found);
  if (wanted === undefined || next === undefined || there === undefined) return line;
  if (wanted.length !== there.length) return next.join('') + after;
  const pieces = [...there];
  for (const { oldStart, oldEnd, newStart, newEnd } of diffSequences(wanted, next).toReversed()) {
    pieces.splice(oldStart, oldEnd - oldStart, ...next.slice(newStart, newEnd));
  }
  return pieces.join('') + after;
}

function blanksAfter(line: string): string {
  return line.slice(line.trimEnd().length);
}

function tokensOf(line: string): readonly string[] {
  return line.slice(indentationOf(line).length).trimEnd().match(TOKEN) ?? [];
}

function pairsOf({ wanted, there }: Blocks): readonly IndentPair[] {
  const effort = { left: EFFORT };
  return wanted.flatMap((line, index) => {
    const found = there[index] ?? '';
    if (line.trim() === '' || found.trim() === '') return [];
    if (similarity(line.trim(), found.trim(), effort) < ALIKE) return [];
    return [{ wanted: indentationOf(line), found: indentationOf(found) }];
  });
}

/** A model often starts with the first word and leaves out what stands before it. */
function isFirstCut([first, ...rest]: readonly IndentPair[]): boolean {
  const isLeft = first?.wanted === '' && first.found !== '';
  return isLeft && rest.some(({ wanted, found }) => wanted !== '' || found === '');
}
