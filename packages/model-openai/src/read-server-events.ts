import { parseJson } from './_json.ts';
import { tooLong } from './read-limited.ts';

/** Far beyond any answer, far below what would hurt this process. */
export const ANSWER_BYTES = 268_435_456;

/**
 * The data of each server-sent event, in order. The stream of the `openai` package is not used for it:
 * that one hides whether `[DONE]` came, so a stream cut half-way looks like a whole answer.
 */
export async function* readServerEvents(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let data: string[] = [];
  for await (const line of readLines(pieces)) {
    if (line === '' && data.length > 0) {
      yield data.join('\n');
      data = [];
    } else if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5));
  }
  // A last event without its empty line was cut, unless only that line is missing.
  const last = data.join('\n');
  if (last.trim() === '[DONE]' || parseJson(last) !== undefined) yield last;
}

/** Each piece is looked at once, however long a line is. A `\r` at the end of a piece may be half of a `\r\n`. */
async function* readLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let begun: string[] = [];
  let kept = '';
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.byteLength;
    if (bytes > ANSWER_BYTES) throw tooLong(ANSWER_BYTES);
    const text = kept + decoder.decode(piece, { stream: true });
    kept = text.endsWith('\r') ? '\r' : '';
    const [first = '', ...others] = text.slice(0, text.length - kept.length).split(/\r\n|\n|\r/);
    begun.push(first);
    for (const other of others) {
      yield begun.join('');
      begun = [other];
    }
  }
  yield begun.join('') + decoder.decode();
}
