import type { Span } from './edit-types.ts';

/** indexOf is quick but may need the product of both lengths; up to here that is little. */
const SHORT = 256;

/** All places of a text in another, none overlapping the one before. Linear time, whatever the texts. */
export function findText(text: string, wanted: string): readonly Span[] {
  if (wanted === '') return [];
  if (wanted.length > SHORT) return findLongText(text, wanted);
  const found: Span[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
    found.push({ start: at, end: at + wanted.length });
  }
  return found;
}

/** Does the only place overlap with a second one? Then it is not the only one. */
export function overlapsItself(text: string, wanted: string, only: Span): boolean {
  const rest = text.slice(only.start + 1, only.end + wanted.length - 1);
  return findText(rest, wanted).length > 0;
}

function findLongText(text: string, wanted: string): readonly Span[] {
  const first = text.indexOf(wanted.slice(0, SHORT));
  if (first === -1) return [];
  const starts = findSequence(
    (index) => text.charCodeAt(first + index),
    text.length - first,
    (index) => wanted.charCodeAt(index),
    wanted.length,
  );
  return starts.map((start) => ({ start: first + start, end: first + start + wanted.length }));
}

/** Knuth, Morris and Pratt: where a sequence stands in another, places not overlapping. */
export function findSequence(
  at: (index: number) => number,
  length: number,
  wantedAt: (index: number) => number,
  wantedLength: number,
): readonly number[] {
  const fallback = fallbacksOf(wantedAt, wantedLength);
  const starts: number[] = [];
  let matched = 0;
  for (let index = 0; index < length; index += 1) {
    const value = at(index);
    while (matched > 0 && wantedAt(matched) !== value) matched = fallback[matched - 1] ?? 0;
    if (wantedAt(matched) === value) matched += 1;
    if (matched < wantedLength) continue;
    starts.push(index + 1 - wantedLength);
    matched = 0;
  }
  return starts;
}

/** For each beginning of the wanted sequence: how much of its end is a beginning too. */
function fallbacksOf(wantedAt: (index: number) => number, length: number): Uint32Array {
  const fallback = new Uint32Array(length);
  let matched = 0;
  for (let index = 1; index < length; index += 1) {
    const value = wantedAt(index);
    while (matched > 0 && wantedAt(matched) !== value) matched = fallback[matched - 1] ?? 0;
    if (wantedAt(matched) === value) matched += 1;
    fallback[index] = matched;
  }
  return fallback;
}
