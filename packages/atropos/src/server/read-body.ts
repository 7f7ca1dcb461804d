import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type Answer, internalError, json, text } from './answers.ts';

const unzip = promisify(gunzip);

/** The bytes of a request's body, or the answer that refuses it. */
export type ReadRequest = Readonly<{ body: Buffer } | { refusal: Answer }>;

export async function readBody(
  request: IncomingMessage,
  maxBodyBytes: number,
): Promise<ReadRequest> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length;
    // the rest is read and dropped: a sender that is cut off never sees the answer
    if (bytes <= maxBodyBytes) pieces.push(piece);
    else pieces.length = 0;
  }
  if (bytes > maxBodyBytes) return { refusal: tooLarge(maxBodyBytes) };
  const [only] = pieces;
  const body = only !== undefined && pieces.length === 1 ? only : Buffer.concat(pieces);
  const isZipped = /gzip/i.test(request.headers['content-encoding'] ?? '');
  const plain = isZipped && body.length > 0 ? await unzipped(body, maxBodyBytes) : { body };
  if ('body' in plain && !isUtf8(plain.body)) return { refusal: unreadable };
  return plain;
}

const unreadable = json({ detail: 'There was an error parsing the body' }, 400);

/** As the original: a body that is no gzip at all is told so, one that is damaged further on breaks it. */
async function unzipped(body: Buffer, maxOutputLength: number): Promise<ReadRequest> {
  if (body[0] !== 0x1f || body[1] !== 0x8b) {
    return { refusal: text('Invalid gzip payload', 400) };
  }
  try {
    return { body: await unzip(body, { maxOutputLength }) };
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    return { refusal: isTooLarge ? tooLarge(maxOutputLength) : internalError };
  }
}

function tooLarge(maxBodyBytes: number): Answer {
  return json({ detail: `The body is larger than ${maxBodyBytes} bytes.` }, 413);
}
