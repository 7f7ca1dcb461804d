import type { ChangeRecord } from '../queue/records.ts';
import type { Snapshot } from './snapshot.ts';

/** One entry of the log: a line of JSON, and after it as many lines of raw group JSON as `parts` says. */
export type LogEntry = Readonly<{ record: ChangeRecord | Snapshot; parts: readonly Buffer[] }>;

const NEW_LINE = Buffer.from('\n');

/** The bytes of an entry. Group JSON holds no line break: white space between its tokens is gone. */
export function encodeEntry({ record, parts }: LogEntry): readonly Buffer[] {
  const head = Buffer.from(`${JSON.stringify({ ...record, parts: parts.length })}\n`);
  return [head, ...parts.flatMap((part) => [part, NEW_LINE])];
}

/** A line of the log as bytes. isWhole: false for a last one that was cut in the middle. */
export type LogLine = Readonly<{ bytes: Buffer; isWhole: boolean }>;

/** What was read of a log. goodBytes: where the last whole entry ends. */
export type ReadEntry = Readonly<{ entry: LogEntry; goodBytes: number }>;

/**
 * Puts lines together to entries. An entry that is cut off at the end was never acknowledged and is left out; a line in the middle that is
 * no entry throws a SyntaxError.
 */
export async function* readEntries(lines: AsyncIterable<LogLine>): AsyncGenerator<ReadEntry> {
  let open: OpenEntry | null = null;
  let bytes = 0;
  for await (const line of lines) {
    if (!line.isWhole) return;
    bytes += line.bytes.length + 1;
    if (open === null) open = beginEntry(line.bytes);
    else open.parts.push(line.bytes);
    if (open.parts.length < open.wanted) continue;
    yield { entry: open, goodBytes: bytes };
    open = null;
  }
}

type OpenEntry = Readonly<{ record: LogEntry['record']; parts: Buffer[]; wanted: number }>;

function beginEntry(line: Buffer): OpenEntry {
  const { parts: wanted, ...record } = JSON.parse(line.toString()) as { parts: number };
  return { record: record as LogEntry['record'], parts: [], wanted };
}
