import type { Edit, Match, Span } from './edit-types.ts';
import { findByAnchors } from './find-by-anchors.ts';
import { findByContext } from './find-by-context.ts';
import { findSequence, findText } from './find-sequence.ts';
import { findTrimmedBoundary } from './find-trimmed-boundary.ts';
import { isOfWholeWords, withIndentation } from './fit-span.ts';
import { type Haystack, linesOf, spanOfLines } from './haystack.ts';
import { lineStart } from './line-start.ts';
import { BLANKS_COLLAPSED, findMapped, LINES_DEDENTED, PLAIN_PUNCTUATION } from './mapped-text.ts';

/** One way to find what shall be replaced. null: it says nothing about this edit. */
export type Strategy = Readonly<{
  name: string;
  /** Never more than one place, however many were asked for: what is alike is not the same. */
  approximate?: boolean;
  find: (haystack: Haystack, edit: Edit) => Match | null;
}>;

/** From the strictest to the loosest. The first that finds anything decides. */
export const STRATEGIES: readonly Strategy[] = [
  { name: 'exact', find: findExact },
  { name: 'line_trimmed', find: findTrimmedLines },
  { name: 'whitespace_normalized', find: findCollapsed },
  { name: 'indentation_flexible', find: findDedented },
  { name: 'escape_normalized', find: findUnescaped },
  { name: 'trimmed_boundary', find: findTrimmedBoundary },
  { name: 'unicode_normalized', find: findPlainPunctuation },
  {
    name: 'block_anchor',
    approximate: true,
    find: (haystack, edit) => matchOf(findByAnchors(haystack, edit), edit),
  },
  {
    name: 'context_aware',
    approximate: true,
    find: (haystack, edit) => matchOf(findByContext(haystack, edit), edit),
  },
];

function matchOf(spans: readonly Span[], { old, new: replacement }: Edit): Match | null {
  return spans.length === 0 ? null : { spans, old, new: replacement };
}

function findExact({ text }: Haystack, edit: Edit): Match | null {
  const spans = findText(text, edit.old);
  const last = lastLinesWithoutNewline(text, edit.old);
  const isApart = last !== null && last.start >= (spans.at(-1)?.end ?? 0);
  return matchOf(isApart ? [...spans, last] : spans, edit);
}

/** Lines at the end of a file fit, too, where the file has no newline behind them. */
function lastLinesWithoutNewline(text: string, old: string): Span | null {
  const lines = old.slice(0, -1);
  const start = text.length - lines.length;
  if (lines === '' || !old.endsWith('\n')) return null;
  if (text.endsWith('\n') || !text.endsWith(lines)) return null;
  return lineStart(text, start) === start ? { start, end: text.length } : null;
}

/** Whole lines that are the same but for blanks at either end. */
function findTrimmedLines(haystack: Haystack, edit: Edit): Match | null {
  const wanted = linesOf(edit.old);
  const ids = new Map<string, number>();
  for (const line of wanted.lines) ids.set(line.trim(), ids.size + 1);
  const wantedIds = wanted.lines.map((line) => ids.get(line.trim()) ?? 0);
  const file = haystack.lines();
  const fileIds = file.trimmed.map((line) => ids.get(line) ?? 0);
  const firsts = findSequence(
    (index) => fileIds[index] ?? 0,
    fileIds.length,
    (index) => wantedIds[index] ?? 0,
    wantedIds.length,
  );
  const spans = firsts.map((first) => spanOfLines(file, first, wantedIds.length, wanted.ended));
  return matchOf(spans, edit);
}

function findCollapsed({ text }: Haystack, edit: Edit): Match | null {
  const spans = findMapped(text, edit.old, BLANKS_COLLAPSED);
  return matchOf(spans.filter(isOfWholeWords(text)), edit);
}

/** Unlike `line_trimmed` it also finds what ends in the middle of a line. */
function findDedented({ text }: Haystack, edit: Edit): Match | null {
  const found = findMapped(text, edit.old, LINES_DEDENTED);
  const spans = found.filter(isOfWholeWords(text)).map((span) => withIndentation(text, span));
  return matchOf(spans, edit);
}

const ESCAPE = /\\([\\ntr])/g;
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

/** For arguments that were escaped twice: `\n` as two characters. */
function findUnescaped({ text }: Haystack, edit: Edit): Match | null {
  const old = unescaped(edit.old);
  if (old === edit.old || isMixed(edit)) return null;
  return matchOf(findText(text, old), { old, new: unescaped(edit.new) });
}

/** Escapes beside real newlines in the new text alone: which of them are meant as newlines cannot be told. */
function isMixed({ old, new: replacement }: Edit): boolean {
  const hasBoth = replacement.trimEnd().includes('\n') && unescaped(replacement) !== replacement;
  return hasBoth && !old.trimEnd().includes('\n');
}

function unescaped(text: string): string {
  const decoded = text.replace(ESCAPE, (_all, letter: string) => ESCAPED[letter] ?? letter);
  return decoded.replaceAll('\r\n', '\n');
}

function findPlainPunctuation({ text }: Haystack, edit: Edit): Match | null {
  const spans = findMapped(text, edit.old, PLAIN_PUNCTUATION);
  return matchOf(spans.filter(isOfWholeWords(text)), edit);
}
