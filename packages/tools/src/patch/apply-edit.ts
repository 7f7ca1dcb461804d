import type { Edit, EditFailure, EditOutcome, Match, Place, Span, Splice } from './edit-types.ts';
import { hasRawBytes } from './file-text.ts';
import { findExactly, findMatch, isOnly } from './find-match.ts';
import { findText } from './find-sequence.ts';
import { createHaystack } from './haystack.ts';
import { plainLines, spliced, withoutCrlf } from './line-endings.ts';
import { lineOf, nearestPlace, placeAt } from './nearest-place.ts';
import { spelledAsIn } from './punctuation.ts';
import { transplant } from './transplant.ts';

const BYTE_ORDER_MARK = '\ufeff';
const MOST_PLACES = 5;
const REPLACEMENT_CHARACTER = '\ufffd';

/**
 * Replaces a part of a text, or says why not. What is outside of the replaced lines stays as it is
 * to the last byte; so do the line endings.
 */
export function applyEdit(text: string, edit: Edit): EditOutcome {
  if (text.startsWith(BYTE_ORDER_MARK)) return applyBehindMark(text.slice(1), edit);
  if (edit.old === '') return refusal('EMPTY_OLD');
  const literal = applyLiterally(text, edit);
  if (literal !== null) return literal;
  const file = plainLines(text);
  const plain = withPlainNewlines(edit, file.hasCrlf);
  if (plain.old === plain.new) return refusal('IDENTICAL');
  const found = findMatch(createHaystack(file.text), plain);
  if (found === null) return refusal('NOT_FOUND', 0, nearest(file.text, plain.old));
  const { match, strategy } = found;
  if (!isOnly(file.text, found, plain)) return ambiguous(file.text, match.spans);
  const splices = splicesOf(file.text, match);
  if (typeof splices === 'string') return refusal(splices, 1, placesOf(file.text, match.spans));
  return done(file.withSplices(splices), strategy.name, match.spans.length);
}

/** The mark is no part of the first line. */
function applyBehindMark(text: string, edit: Edit): EditOutcome {
  const bothHaveIt = [edit.old, edit.new].every((part) => part.startsWith(BYTE_ORDER_MARK));
  const inner = bothHaveIt ? { ...edit, old: edit.old.slice(1), new: edit.new.slice(1) } : edit;
  const outcome = applyEdit(text, inner);
  return outcome.ok ? { ...outcome, text: BYTE_ORDER_MARK + outcome.text } : outcome;
}

/**
 * A carriage return in the old text, found as it stands: then those in the new text are meant too.
 * In a file of mixed line endings it must be the only place whatever the endings.
 */
function applyLiterally(text: string, edit: Edit): EditOutcome | null {
  const exact = edit.old.includes('\r') ? findExactly(createHaystack(text), edit) : null;
  if (exact === null) return null;
  if (edit.old === edit.new) return refusal('IDENTICAL');
  const { match, strategy } = exact;
  const alike = findText(withoutCrlf(text), withoutReturns(edit.old));
  const isOne = edit.replaceAll === true || alike.length < 2;
  if (!isOne || !isOnly(text, exact, edit)) return ambiguous(text, match.spans);
  const splices = match.spans.map((span) => ({ ...span, text: edit.new }));
  return done(spliced(text, splices), strategy.name, splices.length);
}

function withPlainNewlines(edit: Edit, fileHasCrlf: boolean): Edit {
  if (!fileHasCrlf && !edit.old.includes('\r\n')) return edit;
  return { ...edit, old: withoutReturns(edit.old), new: withoutReturns(edit.new) };
}

/** The last line may have been given with one half of its ending. */
function withoutReturns(text: string): string {
  return withoutCrlf(text).replace(/\r$/, '');
}

function splicesOf(text: string, match: Match): readonly Splice[] | EditFailure {
  const known = new Map<string, readonly Splice[] | EditFailure>(); // most places read alike
  const splices: Splice[] = [];
  for (const { start, end } of match.spans) {
    const found = text.slice(start, end);
    const changes = known.get(found) ?? changesIn(found, match);
    if (typeof changes === 'string') return changes;
    known.set(found, changes);
    for (const change of changes) {
      splices.push({ start: change.start + start, end: change.end + start, text: change.text });
    }
  }
  return splices;
}

function changesIn(found: string, match: Match): readonly Splice[] | EditFailure {
  const [old, replacement] = endedAs(found, match).map((part) =>
    spelledAsIn(found, match.old, part),
  );
  const changes = transplant(old ?? '', replacement ?? '', found);
  if (changes === null) return 'UNCLEAR_INDENTATION';
  return changes.some(({ text }) => losesBytes(found, text)) ? 'RAW_BYTES' : changes;
}

/** A last line without a newline stays without one. */
function endedAs(found: string, { old, new: replacement }: Match): readonly [string, string] {
  if (!old.endsWith('\n') || found.endsWith('\n')) return [old, replacement];
  return [old.slice(0, -1), replacement.endsWith('\n') ? replacement.slice(0, -1) : replacement];
}

/** A model was shown this character where the file has bytes that are none. */
function losesBytes(found: string, text: string): boolean {
  const isStandIn = text.includes(REPLACEMENT_CHARACTER) && !found.includes(REPLACEMENT_CHARACTER);
  return isStandIn && hasRawBytes(found);
}

function nearest(text: string, old: string): readonly Place[] {
  const place = nearestPlace(text, old);
  return place === null ? [] : [place];
}

function ambiguous(text: string, spans: readonly Span[]): EditOutcome {
  return refusal('AMBIGUOUS', Math.max(2, spans.length), placesOf(text, spans));
}

function placesOf(text: string, spans: readonly Span[]): readonly Place[] {
  return spans.slice(0, MOST_PLACES).map(({ start }) => placeAt(text, lineOf(text, start), start));
}

function done(text: string, strategy: string, count: number): EditOutcome {
  return { ok: true, text, strategy, count };
}

function refusal(code: EditFailure, count = 0, places: readonly Place[] = []): EditOutcome {
  return { ok: false, code, count, places };
}
