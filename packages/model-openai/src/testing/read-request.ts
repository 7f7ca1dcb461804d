import type { IncomingMessage } from 'node:http';
import type { JsonObject } from '@hermes/protocol';

/** The body of a request as an object; `{}` when it is none. */
export async function readBody(request: IncomingMessage): Promise<JsonObject> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return parsed(Buffer.concat(pieces).toString('utf8'));
}

function parsed(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    // A test that sends no JSON sees it in what was recorded.
    return {};
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
