import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { TrainerError } from '../trainer-error.ts';

export type HttpRequest = Readonly<{
  method: 'GET' | 'POST';
  path: string;
  body?: Buffer;
  headers?: Readonly<Record<string, string>>;
  signal: AbortSignal;
  /** Sends only over a connection that this says yes to; otherwise nothing of the request leaves, and the answer is null. */
  mayUse?: (socket: Socket) => boolean;
}>;

export type HttpAnswer = Readonly<{
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
  socket: Socket;
}>;

/** Kept connections to one server. */
export interface HttpConnection {
  readonly baseUrl: string;
  send(request: HttpRequest): Promise<HttpAnswer | null>;
  close(): void;
}

/** Shorter than the 5 s after which uvicorn drops an idle connection: a request must not meet a closing one. */
const IDLE_MS = 3000;

/** token: borne by every request; null = none. */
export function createConnection(
  baseUrl: string,
  { timeoutMs, token }: Readonly<{ timeoutMs: number; token: string | null }>,
): HttpConnection {
  const url = parseUrl(baseUrl);
  const options = { keepAlive: true, timeout: IDLE_MS, maxSockets: 8 };
  const isSecure = url.protocol === 'https:';
  const agent = isSecure ? new HttpsAgent(options) : new HttpAgent(options);
  const request = isSecure ? httpsRequest : httpRequest;
  const bearer = token === null ? {} : { authorization: `Bearer ${token}` };
  const prefix = url.pathname.replace(/\/$/, '');

  function send(asked: HttpRequest): Promise<HttpAnswer | null> {
    const { method, path, body, mayUse } = asked;
    const signal = AbortSignal.any([asked.signal, AbortSignal.timeout(timeoutMs)]);
    const headers = { ...bearer, ...asked.headers, ...(body && contentHeaders(body)) };
    const target = new URL(`${prefix}${path}`, url);
    return new Promise((resolve, reject) => {
      let wasWritten = false;
      const fail = (cause: unknown) =>
        reject(sendError(cause, { asked, target, wasWritten, timeoutMs }));
      // node itself reads GET bodies; fetch would refuse to send one
      const sent = request(target, { method, headers, agent, signal }, (response) => {
        readAnswer(response).then(resolve, fail);
      });
      sent.on('error', fail);
      sent.on('socket', (socket) => {
        if (mayUse === undefined || mayUse(socket)) {
          whenConnected(socket, () => {
            wasWritten = true;
          });
          sent.end(body);
          return;
        }
        resolve(null);
        sent.destroy();
      });
    });
  }

  return { baseUrl, send, close: () => agent.destroy() };
}

function parseUrl(baseUrl: string): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url !== null && /^https?:$/.test(url.protocol)) return url;
  const message = `The trainer's address ${JSON.stringify(baseUrl)} is no http address; it looks like http://localhost:8000.`;
  throw new TrainerError('CONFIG', message);
}

function contentHeaders(body: Buffer): Readonly<Record<string, string>> {
  return { 'content-type': 'application/json', 'content-length': String(body.length) };
}

async function readAnswer(response: IncomingMessage): Promise<HttpAnswer> {
  const { socket } = response;
  const pieces: Buffer[] = [];
  for await (const piece of response as AsyncIterable<Buffer>) pieces.push(piece);
  // uvicorn drops the connection after an answer like this without saying so
  if ((response.statusCode ?? 0) >= 500) socket.destroy();
  const body = Buffer.concat(pieces);
  const isZipped = response.headers['content-encoding'] === 'gzip';
  const text = (isZipped ? gunzipSync(body) : body).toString();
  return { status: response.statusCode ?? 0, headers: response.headers, text, socket };
}

type Sending = Readonly<{
  asked: HttpRequest;
  target: URL;
  /** The other side may have acted on it. */
  wasWritten: boolean;
  timeoutMs: number;
}>;

function whenConnected(socket: Socket, note: () => void): void {
  if (socket.connecting) socket.once('connect', note);
  else note();
}

function sendError(
  cause: unknown,
  { asked, target, wasWritten, timeoutMs }: Sending,
): TrainerError {
  const what = `${asked.method} ${target.origin}${target.pathname}`;
  if (asked.signal.aborted)
    return new TrainerError('CANCELLED', `${what} was cancelled by its signal.`, { cause });
  const error = cause as NodeJS.ErrnoException;
  const details = { wasWritten };
  if (error.name === 'AbortError' || error.name === 'TimeoutError') {
    const message = `${what} had no answer within ${timeoutMs} ms. Is the trainer's server busy, or is something else listening there?`;
    return new TrainerError('TIMEOUT', message, { cause, retryable: true, details });
  }
  const message = `${what} failed: ${error.message || error.code || 'no connection'}. Is the trajectory server (run-api, hermes trainer-api) running there?`;
  return new TrainerError('CONNECTION', message, { cause, retryable: true, details });
}
