import { applyEdit } from './apply-edit.ts';
import type { EditOutcome, Place } from './edit-types.ts';
import { lineStart } from './line-start.ts';
import { lineOf, nearestPlace, placeAt } from './nearest-place.ts';
import type { Hunk } from './parse-patch.ts';

const WINDOW_BEFORE = 500;
const WINDOW_AFTER = 2000;

/** Applies the hunks of one file in their order, each to what the one before it left. */
export function applyHunks(text: string, hunks: readonly Hunk[]): EditOutcome {
  let current = text;
  for (const hunk of hunks) {
    const outcome = applyHunk(current, hunk);
    if (!outcome.ok) return outcome;
    current = outcome.text;
  }
  return { ok: true, text: current, strategy: 'hunks', count: hunks.length };
}

function applyHunk(text: string, hunk: Hunk): EditOutcome {
  if (hunk.before.length === 0) return insert(text, hunk);
  const whole = applyEdit(text, editOf(hunk));
  if (whole.ok || hunk.hint === null) return whole;
  const hints = linesWith(text, hunk.hint);
  const [hint] = hints;
  if (hint === undefined || hints.length > 1) return whole;
  const after = applyWithin(text, hint, hint + WINDOW_AFTER, hunk);
  return after.ok ? after : retryAround(text, hint, hunk, whole);
}

function retryAround(text: string, hint: number, hunk: Hunk, whole: EditOutcome): EditOutcome {
  const around = applyWithin(text, hint - WINDOW_BEFORE, hint + WINDOW_AFTER, hunk);
  return around.ok ? around : whole;
}

function editOf({ before, after }: Hunk): Parameters<typeof applyEdit>[1] {
  const [old, replacement] = [before, after].map((lines) =>
    lines.map((line) => `${line}\n`).join(''),
  );
  return { old: old ?? '', new: replacement ?? '', wholeLines: true };
}

/** As if there were only these lines of the text. */
function applyWithin(text: string, from: number, to: number, hunk: Hunk): EditOutcome {
  const start = lineStart(text, from);
  const newline = text.indexOf('\n', Math.min(text.length, to));
  const end = newline === -1 ? text.length : newline + 1;
  const outcome = applyEdit(text.slice(start, end), editOf(hunk));
  return outcome.ok
    ? { ...outcome, text: text.slice(0, start) + outcome.text + text.slice(end) }
    : outcome;
}

/** New lines alone: after the one line that the hint names, without a hint at the end. */
function insert(text: string, { hint, after }: Hunk): EditOutcome {
  if (hint === null) return inserted(text, text.length, after);
  const hints = linesWith(text, hint);
  const [at] = hints;
  if (at === undefined) {
    const nearest = nearestPlace(text, hint);
    return { ok: false, code: 'NOT_FOUND', count: 0, places: nearest === null ? [] : [nearest] };
  }
  if (hints.length > 1) {
    const places = hints
      .slice(0, 5)
      .map((offset): Place => placeAt(text, lineOf(text, offset), offset));
    return { ok: false, code: 'AMBIGUOUS', count: hints.length, places };
  }
  const newline = text.indexOf('\n', at);
  return inserted(text, newline === -1 ? text.length : newline + 1, after);
}

/** Lines end as the file's do; a last line without an end stays without one. */
function inserted(text: string, offset: number, lines: readonly string[]): EditOutcome {
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const isOpenEnd = offset > 0 && text[offset - 1] !== '\n';
  const block = lines.join(newline);
  const addition = isOpenEnd ? newline + block : block + newline;
  const changed = text.slice(0, offset) + addition + text.slice(offset);
  return { ok: true, text: changed, strategy: 'insertion', count: 1 };
}

/** Where the lines begin that are the hint; where none is, those that have it in them. */
function linesWith(text: string, hint: string): readonly number[] {
  const containing: number[] = [];
  const equal: number[] = [];
  for (let at = text.indexOf(hint); at !== -1; at = text.indexOf(hint, at + hint.length)) {
    const start = lineStart(text, at);
    const newline = text.indexOf('\n', at);
    if (containing.at(-1) !== start) containing.push(start);
    const line = text.slice(start, newline === -1 ? text.length : newline);
    if (line.trim() === hint && equal.at(-1) !== start) equal.push(start);
  }
  return equal.length > 0 ? equal : containing;
}
