import { createReadStream } from 'node:fs';
import type { LogLine } from './log-records.ts';

/** The lines of a log file as bytes. */
export async function* readLogLines(path: string): AsyncGenerator<LogLine> {
  let rest: Buffer[] = [];
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      yield { bytes: Buffer.concat([...rest, chunk.subarray(start, end)]), isWhole: true };
      rest = [];
      start = end + 1;
    }
    if (start < chunk.length) rest.push(chunk.subarray(start));
  }
  if (rest.length > 0) yield { bytes: Buffer.concat(rest), isWhole: false };
}
