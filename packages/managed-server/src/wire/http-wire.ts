import { type Clock, ModelError } from '@hermes/protocol';
import { Agent, fetch, type Response } from 'undici';
import type { EngineWire, WireRequest } from './engine-wire.ts';
import { serverEvents } from './server-events.ts';
import { readErrorBody, refusal, wireError } from './wire-error.ts';
import { redacted, rootUrl, type WireSettings } from './wire-settings.ts';

/** HTTP to a server, with its own connections. Limits of time are the caller's: its signal closes the connection. */
export function createHttpWire(settings: WireSettings, clock: Clock): EngineWire {
  const address = rootUrl(settings.baseUrl);
  // An answer may take longer than the five minutes after which fetch gives up by itself.
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  const open = async (request: WireRequest, signal: AbortSignal): Promise<Response> => {
    try {
      return await fetch(`${address}${request.path}`, {
        method: request.method,
        headers: headersOf(settings, request),
        body: request.body === undefined ? null : JSON.stringify(request.body),
        signal,
        // A redirected POST arrives as a GET without its body: better told than followed.
        redirect: 'manual',
        dispatcher,
      });
    } catch (error) {
      throw connectionError(address, signal, error);
    }
  };
  return {
    address,
    async send(request, signal) {
      const response = await open(request, signal);
      const text = await bodyText(address, response, signal);
      return answerOf(settings, address, response, text, clock.now().wallMs);
    },
    async *stream(request, signal) {
      const response = await open(request, signal);
      if (!response.ok || response.body === null) {
        const text = await bodyText(address, response, signal);
        yield answerOf(settings, address, response, text, clock.now().wallMs);
        return;
      }
      for await (const event of serverEvents(pieces(address, response.body, signal)))
        yield checkedBody(settings, address, event);
    },
    close: () => dispatcher.destroy(),
  };
}

function headersOf(
  { apiKey, headers }: WireSettings,
  { body }: WireRequest,
): Record<string, string> {
  return {
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
    ...headers,
  };
}

/** Far beyond any answer, far below what would hurt this process. */
const MOST_BYTES = 268_435_456;

async function bodyText(address: string, response: Response, signal: AbortSignal): Promise<string> {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of pieces(address, response.body, signal))
    text += decoder.decode(piece, { stream: true });
  return text + decoder.decode();
}

/** The bytes of a body; a connection that breaks is a stream that was cut. */
async function* pieces(
  address: string,
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const piece of body) {
      bytes += piece.byteLength;
      if (bytes > MOST_BYTES)
        throw wireError(
          'BAD_RESPONSE',
          `The engine at ${address} sent more than ${MOST_BYTES} bytes.`,
        );
      yield piece;
    }
  } catch (error) {
    if (error instanceof ModelError) throw error;
    if (signal.aborted) throw cancelled(address);
    throw wireError(
      'STREAM_CUT',
      `The answer of the engine at ${address} was cut off: look at its log.`,
    );
  }
}

function answerOf(
  settings: WireSettings,
  address: string,
  response: Response,
  text: string,
  nowMs: number,
): unknown {
  if (response.ok) return checkedBody(settings, address, text);
  const said = readErrorBody(parsed(text))?.message ?? text;
  const retryAfterMs = waitOf(response.headers.get('retry-after'), nowMs);
  throw refusal(address, response.status, redacted(settings, said), retryAfterMs);
}

/** Some servers report a failure with status 200, or in the middle of a stream. An empty body is none. */
function checkedBody(settings: WireSettings, address: string, text: string): unknown {
  if (text.trim() === '') return null;
  const body = parsed(text);
  if (body === undefined)
    throw wireError(
      'BAD_RESPONSE',
      `The engine at ${address} sent what is no JSON ("${redacted(settings, text).slice(0, 200)}"): check the base URL and the kind of server.`,
    );
  const error = readErrorBody(body);
  if (error !== null)
    throw refusal(address, error.status ?? 500, redacted(settings, error.message));
  return body;
}

/** undefined = it is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // undefined is never the value of a JSON text: it says that this was none.
    return undefined;
  }
}

/** `Retry-After` in seconds or as a date; null = the server does not say. */
function waitOf(value: string | null, nowMs: number): number | null {
  if (value === null) return null;
  const seconds = Number(value);
  const waitMs = Number.isNaN(seconds) ? Date.parse(value) - nowMs : seconds * 1000;
  return Number.isNaN(waitMs) ? null : Math.max(0, waitMs);
}

function connectionError(address: string, signal: AbortSignal, error: unknown): ModelError {
  if (signal.aborted) return cancelled(address);
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
  return wireError(
    'CONNECTION',
    `No connection to the engine at ${address}${code}: start the server, or correct the base URL.`,
  );
}

function cancelled(address: string): ModelError {
  return wireError('CANCELLED', `The request to the engine at ${address} was cancelled.`);
}
