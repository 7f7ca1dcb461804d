/** The data of each server-sent event; the lines of one event are joined. `[DONE]` ends it. */
export async function* serverEvents(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let data: string[] = [];
  for await (const line of lines(pieces)) {
    if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5));
    if (line !== '' || data.length === 0) continue;
    const event = data.join('\n');
    data = [];
    if (event.trim() === '[DONE]') return;
    yield event;
  }
  if (data.length > 0 && data.join('\n').trim() !== '[DONE]') yield data.join('\n');
}

/** A `\r` at the end of a piece may be half of a `\r\n`. */
async function* lines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let begun = '';
  for await (const piece of pieces) {
    const text = begun + decoder.decode(piece, { stream: true });
    const end = text.endsWith('\r') ? text.length - 1 : text.length;
    const parts = text.slice(0, end).split(/\r\n|\n|\r/);
    begun = (parts.pop() ?? '') + text.slice(end);
    yield* parts;
  }
  yield begun + decoder.decode();
}
