import { type Change, diffSequences } from './diff-sequences.ts';
import { findReindent, indentationOf, type Reindent } from './indentation.ts';
import { type Blocks, onlyIndexOf } from './indentation-style.ts';

/** New lines that are indented as the file is already; those that were asked for as the file has them. */
export function linesInPlace({ wanted, next, there }: Blocks): readonly string[] {
  return next.map((line) => {
    const at = onlyIndexOf(wanted, line);
    const found = there[at] ?? '';
    return at !== -1 && indentationOf(found) === indentationOf(line) ? found : line;
  });
}

/** The new lines as the file would have them. null: one of them cannot be indented. */
export function adaptedLines(blocks: Blocks, changes: readonly Change[]): readonly string[] | null {
  const reindent = reindentFor(blocks);
  const lines = [...blocks.next];
  for (const change of changes) {
    for (let index = change.newStart; index < change.newEnd; index += 1) {
      const line = adapted(blocks, change, index, reindent);
      if (line === null) return null;
      lines[index] = line;
    }
  }
  return lines;
}

/** As many new lines as old ones: each stands for the one in its place. */
function adapted(
  { wanted, next, there }: Blocks,
  { oldStart, oldEnd, newStart, newEnd }: Change,
  index: number,
  reindent: Reindent,
): string | null {
  const line = next[index] ?? '';
  if (line.trim() === '') return line;
  const indentation = indentationOf(line);
  const body = line.slice(indentation.length);
  const before = oldStart + index - newStart;
  const [old, found] = [wanted[before] ?? '', there[before] ?? ''];
  const isPaired = oldEnd - oldStart === newEnd - newStart && old.trim() !== '';
  if (!isPaired) return withIndentation(reindent(indentation), body);
  const isAsDeep = indentation === indentationOf(old);
  const better = isAsDeep ? indentationOf(found) : reindent(indentation);
  return withIndentation(better, bodyLikeFound(old, body, found));
}

function withIndentation(indentation: string | null, body: string): string | null {
  return indentation === null ? null : indentation + body;
}

const TOKEN = /[\p{L}\p{N}_]+|[ \t]+|\.{3}|./gsu;

/** What the new line shares with the old one stays as the file spells it: blanks, quotes, dashes. */
function bodyLikeFound(old: string, body: string, found: string): string {
  const wanted = tokensOf(old);
  const there = tokensOf(found);
  if (wanted.length !== there.length) return body;
  const next = tokensOf(body);
  const pieces = [...there];
  for (const { oldStart, oldEnd, newStart, newEnd } of diffSequences(wanted, next).toReversed()) {
    pieces.splice(oldStart, oldEnd - oldStart, ...next.slice(newStart, newEnd));
  }
  return pieces.join('');
}

function tokensOf(line: string): readonly string[] {
  return line.slice(indentationOf(line).length).match(TOKEN) ?? [];
}

function reindentFor({ wanted, there }: Blocks): Reindent {
  const pairs = wanted.flatMap((line, index) => {
    const found = there[index] ?? '';
    if (line.trim() === '' || found.trim() === '') return [];
    return [{ wanted: indentationOf(line), found: indentationOf(found) }];
  });
  const [first, ...rest] = pairs;
  // A model often starts with the first word and leaves out what stands before it.
  const isCut = first?.wanted === '' && first.found !== '' && rest.length > 0;
  return findReindent(isCut ? rest : pairs);
}
