import type { Edit, Match, Span } from './edit-types.ts';
import { findText } from './find-sequence.ts';
import { isOfWholeWords, withIndentation, withNewline, withTrailingBlanks } from './fit-span.ts';
import type { Haystack } from './haystack.ts';
import { lineStart } from './line-start.ts';

/** The blanks before the first and after the last line may be other ones, if the edit leaves them alone. */
export function findTrimmedBoundary({ text }: Haystack, edit: Edit): Match | null {
  const old = edit.old.trim();
  if (old === edit.old) return null;
  const before = edit.old.slice(0, edit.old.indexOf(old));
  const after = edit.old.slice(before.length + old.length);
  const replacement = withoutBoundary(edit.new, before, after);
  if (replacement === null) return null;
  const spans = findText(text, old)
    .filter(isOfWholeWords(text))
    .map((span) => withTrailingBlanks(text, withIndentation(text, span)));
  if (spans.length === 0) return null;
  if (replacement !== '') {
    const indentation = indentationAt(text, spans, before);
    return { spans, old: indentation + old, new: indentation + replacement };
  }
  const isLineGone = newlinesIn(edit.new) < newlinesIn(before + after);
  return isLineGone
    ? { spans: spans.map((span) => withNewline(text, span)), old: `${old}\n`, new: '' }
    : { spans, old, new: '' };
}

function withoutBoundary(text: string, before: string, after: string): string | null {
  if (text.trim() === '') return '';
  const isAround = text.startsWith(before) && text.slice(before.length).endsWith(after);
  return isAround ? text.slice(before.length, text.length - after.length) : null;
}

/** The blanks in front of the first line are its indentation where each place begins with a line. */
function indentationAt(text: string, spans: readonly Span[], before: string): string {
  const isStartOfLine = spans.every(({ start }) => lineStart(text, start) === start);
  return isStartOfLine ? before.slice(before.lastIndexOf('\n') + 1) : '';
}

function newlinesIn(text: string): number {
  return text.split('\n').length - 1;
}
