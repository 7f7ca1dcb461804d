import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { Answer } from './answers.ts';

const zip = promisify(gzip);

/** Below this a zipped answer is hardly smaller. */
const LEAST_ZIPPED_BYTES = 1000;

/** Writes an answer, zipped where the other side takes that. Resolves when it has left or the connection is gone. */
export async function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
): Promise<void> {
  let wasSent = false;
  try {
    const { pieces, headers } = await encode(request, answer);
    response.writeHead(answer.status, {
      'content-type': answer.type,
      ...originHeaders(request, answer.status),
      ...answer.headers,
      ...headers,
    });
    wasSent = await write(response, pieces);
  } finally {
    answer.onEnd?.(wasSent);
  }
}

type Encoded = Readonly<{
  pieces: readonly Uint8Array[];
  headers: Record<string, string | number>;
}>;

async function encode(request: IncomingMessage, { pieces }: Answer): Promise<Encoded> {
  const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const takesGzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  if (!takesGzip || bytes < LEAST_ZIPPED_BYTES)
    return { pieces, headers: { 'content-length': bytes } };
  const zipped = await zip(Buffer.concat(pieces), { level: constants.Z_BEST_SPEED });
  const headers = {
    'content-encoding': 'gzip',
    'content-length': zipped.length,
    vary: 'Accept-Encoding',
  };
  return { pieces: [zipped], headers };
}

/** Any page may read the answers, as with the original. */
function originHeaders(request: IncomingMessage, status: number): Record<string, string> {
  const { origin } = request.headers;
  if (status === 500) return {};
  if (origin === undefined) return { vary: 'Origin' };
  return {
    vary: 'Origin',
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
  };
}

/**
 * True when all of it was handed to the system, which delivers it also after this process is gone. Node's `finish` comes also for a
 * connection that broke, and so does the callback of the last write, without an error: only the connection itself knows.
 */
function write(response: ServerResponse, pieces: readonly Uint8Array[]): Promise<boolean> {
  const { socket } = response;
  return new Promise((resolve) => {
    response.once('close', () => resolve(false));
    response.once('error', () => resolve(false));
    for (const [index, piece] of pieces.entries()) {
      const isLast = index === pieces.length - 1;
      response.write(piece, (error) => {
        if (error || isLast) resolve(!error && socket?.destroyed === false);
      });
    }
    response.end();
  });
}
