import { ModelError } from '@hermes/protocol';

/** Reads a body as text. Beyond the limit: the rest is left (`cut`), or BAD_RESPONSE (`refuse`). */
export async function readLimited(
  pieces: AsyncIterable<Uint8Array>,
  limit: number,
  beyond: 'cut' | 'refuse',
): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.byteLength;
    text += decoder.decode(piece, { stream: true });
    if (bytes <= limit) continue;
    if (beyond === 'refuse') throw tooLong(limit);
    return text;
  }
  return text + decoder.decode();
}

/** The answer of a server that does not stop. */
export function tooLong(limit: number): ModelError {
  const message = `The model server sent more than ${limit} bytes for one answer; lower maxTokens, or look at what the server sends.`;
  return new ModelError('BAD_RESPONSE', message);
}
