import type { Place } from './edit-types.ts';
import { lineStart } from './line-start.ts';

const MOST_LINES = 12;
const MOST_CHARS = 200;
/** A longer line is searched piece by piece; a piece fits into what is shown. */
const PIECE = 160;
const TABLE = 1 << 16;

/** The part of a text that has most in common with a wanted one. Linear time. null: the text is empty. */
export function nearestPlace(text: string, wanted: string): Place | null {
  if (text === '') return null;
  const wantedLines = wanted.split('\n').filter((line) => line.trim() !== '');
  const pieces = piecesOf(text);
  const scores = scoreLines(text, pieces, trigramsOf(wantedLines));
  const best = bestWindow(scores, Math.max(1, Math.min(wantedLines.length, MOST_LINES)));
  const start = pieces[best]?.start ?? 0;
  return placeAt(text, lineOf(text, start), start, wantedLines.length);
}

/** Some lines from a place on, numbered, long ones cut around it. */
export function placeAt(text: string, line: number, offset: number, lines = 1): Place {
  const start = lineStart(text, offset);
  const shown = linesFrom(text, start, Math.min(Math.max(1, lines), MOST_LINES));
  const column = offset - start;
  const numbered = shown.map((content, index) => {
    const from = index === 0 && content.length > MOST_CHARS ? Math.max(0, column - 20) : 0;
    return `${line + index}|${excerpt(content, from)}`;
  });
  return { line, text: numbered.join('\n') };
}

/** The number of the line, counted from 1. */
export function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
    line += 1;
  }
  return line;
}

function linesFrom(text: string, start: number, count: number): readonly string[] {
  const lines: string[] = [];
  for (let from = start; lines.length < count && from <= text.length; ) {
    const newline = text.indexOf('\n', from);
    const end = newline === -1 ? text.length : newline;
    lines.push(text.slice(from, end));
    from = end + 1;
  }
  return lines;
}

function excerpt(line: string, from: number): string {
  const cut = line.slice(from, from + MOST_CHARS);
  const before = from > 0 ? '...' : '';
  return `${before}${cut}${from + MOST_CHARS < line.length ? '...' : ''}`.replace(
    /\p{Surrogate}/gu,
    '\ufffd',
  );
}

type Piece = Readonly<{ start: number; end: number }>;

function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const lineEnd = newline === -1 ? text.length : newline;
    for (let from = start; from < lineEnd || from === start; from += PIECE) {
      pieces.push({ start: from, end: Math.min(lineEnd, from + PIECE) });
    }
    start = lineEnd + 1;
  }
  return pieces;
}

/** For every three characters in a row whether they are wanted; some others fall together with them. */
function trigramsOf(lines: readonly string[]): Uint8Array {
  const wanted = new Uint8Array(TABLE);
  for (const line of lines) {
    for (let at = 0; at + 2 < line.length; at += 1) wanted[hashAt(line, at)] = 1;
  }
  return wanted;
}

function hashAt(text: string, at: number): number {
  const first = Math.imul(text.charCodeAt(at), 0x9e5f);
  const second = Math.imul(text.charCodeAt(at + 1), 0x1f35);
  return (first + second + text.charCodeAt(at + 2)) & (TABLE - 1);
}

/** The share of a piece's trigrams that is wanted, weighted with their number. */
function scoreLines(text: string, pieces: readonly Piece[], wanted: Uint8Array): Float64Array {
  const scores = new Float64Array(pieces.length);
  pieces.forEach(({ start, end }, index) => {
    let shared = 0;
    for (let at = start; at + 2 < end; at += 1) shared += wanted[hashAt(text, at)] ?? 0;
    scores[index] = (shared * shared) / Math.max(1, end - start - 2);
  });
  return scores;
}

/** The first piece of the best run of `width` pieces, less those before it that have nothing in common. */
function bestWindow(scores: Float64Array, width: number): number {
  let sum = 0;
  let best = { at: 0, sum: -1 };
  for (let index = 0; index < scores.length; index += 1) {
    sum += (scores[index] ?? 0) - (scores[index - width] ?? 0);
    if (sum > best.sum + 1e-9) best = { at: Math.max(0, index - width + 1), sum };
  }
  const telling = scores.findIndex((score, index) => index >= best.at && score > 0);
  return telling === -1 ? best.at : telling;
}
