import type { IncomingMessage } from 'node:http';
import { Refusal } from './refusal.ts';

/** The body of a request as data; `{}` where it is empty. Throws a Refusal: 413 too large, 400 no JSON. */
export async function readJson(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  const text = await readText(request, maxBytes);
  if (text === '') return {};
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Refusal(400, 'invalid_json', `The body is no JSON: ${(cause as Error).message}`);
  }
}

async function readText(request: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // the rest is read and dropped: a sender that is cut off never sees the answer
    if (bytes <= maxBytes) chunks.push(chunk);
    else chunks.length = 0;
  }
  if (bytes <= maxBytes) return Buffer.concat(chunks).toString('utf8');
  throw new Refusal(413, 'body_too_large', `The body is larger than ${maxBytes} bytes.`);
}
