import { countCodePoints, headOf } from './_text.ts';
import { untilAborted } from './_until-aborted.ts';

const MAX_LINE_CHARS = 2000;
const SAMPLE_BYTES = 1000;

/** lines: the numbered ones asked for, never more of the file than that. */
export type LineWindow = Readonly<{
  lines: readonly string[];
  totalLines: number;
  binary: boolean;
}>;

/** Reads a stream once and keeps only the lines from `first` (1-based) on, at most `count`. */
export async function readLineWindow(
  stream: AsyncIterable<Uint8Array>,
  first: number,
  count: number,
  signal: AbortSignal,
): Promise<LineWindow> {
  const collector = createLineCollector(first, count);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let sampled = false;
  for await (const chunk of chunksOfSize(untilAborted(stream, signal), SAMPLE_BYTES)) {
    if (!sampled && looksBinary(chunk)) return { lines: [], totalLines: 0, binary: true };
    sampled = true;
    collector.push(decoder.decode(chunk, { stream: true }));
  }
  collector.push(decoder.decode());
  return { ...collector.finish(), binary: false };
}

/** Only the first piece is made long enough to judge by; the others pass as they are. */
async function* chunksOfSize(
  stream: AsyncIterable<Uint8Array>,
  firstBytes: number,
): AsyncGenerator<Uint8Array> {
  let head: Uint8Array | null = new Uint8Array();
  for await (const chunk of stream) {
    if (head === null) {
      yield chunk;
      continue;
    }
    head = joined(head, chunk);
    if (head.length < firstBytes) continue;
    yield head;
    head = null;
  }
  if (head !== null) yield head;
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const whole = new Uint8Array(one.length + other.length);
  whole.set(one);
  whole.set(other, one.length);
  return whole;
}

/** More than 30 % of the start are characters that no text has. */
function looksBinary(chunk: Uint8Array): boolean {
  const text = new TextDecoder().decode(chunk.subarray(0, SAMPLE_BYTES), { stream: true });
  let unprintable = 0;
  for (const character of text) if (isUnprintable(character)) unprintable += 1;
  return unprintable > countCodePoints(text) * 0.3;
}

function isUnprintable(character: string): boolean {
  if (character === '\n' || character === '\r' || character === '\t') return false;
  return character < ' ' || character === '\u007f' || character === '\ufffd';
}

type LineCollector = Readonly<{
  push: (text: string) => void;
  finish: () => Omit<LineWindow, 'binary'>;
}>;

function createLineCollector(first: number, count: number): LineCollector {
  const lines: string[] = [];
  let number = 1;
  let current = '';
  let started = false;

  const isWanted = (): boolean => number >= first && number < first + count;
  const extend = (text: string): void => {
    if (text === '') return;
    started = true;
    if (isWanted() && current.length <= MAX_LINE_CHARS * 2) current += text;
  };
  const endLine = (): void => {
    if (isWanted()) lines.push(numbered(number, current));
    number += 1;
    current = '';
    started = false;
  };

  return {
    push(text) {
      let start = 0;
      for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
        if (isWanted()) extend(text.slice(start, end));
        endLine();
        start = end + 1;
      }
      extend(text.slice(start));
    },
    finish() {
      if (started) endLine();
      return { lines, totalLines: number - 1 };
    },
  };
}

function numbered(number: number, line: string): string {
  const isLong = line.length > MAX_LINE_CHARS && countCodePoints(line) > MAX_LINE_CHARS;
  const shown = isLong ? `${headOf(line, MAX_LINE_CHARS)}... [line cut]` : line;
  return `${String(number).padStart(6)}|${shown}`;
}
