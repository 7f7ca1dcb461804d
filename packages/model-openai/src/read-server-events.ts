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
  // A last event without its empty line was cut, unless it was whole by chance: whoever reads it sees.
  if (data.length > 0) yield data.join('\n');
}

async function* readLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.byteLength;
    if (bytes > ANSWER_BYTES) throw tooLong(ANSWER_BYTES);
    const lines = (rest + decoder.decode(piece, { stream: true })).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    yield* lines;
  }
  yield (rest + decoder.decode()).replace(/\r$/, '');
}
