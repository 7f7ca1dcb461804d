import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { JsonObject } from '@hermes/protocol';

/** One request that the fake server got, and what became of its answer. */
export interface FakeRequest {
  /** 1-based, in order of arrival. */
  readonly number: number;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** `{}` when it was no JSON object. */
  readonly body: JsonObject;
  /** How many chunks of a stream the model has made; it makes none once the client is gone. */
  readonly chunksSent: number;
  /** `aborted`: the client closed before the answer was whole. `broken`: the script broke it. */
  readonly state: 'answering' | 'finished' | 'aborted' | 'broken';
  /** Resolves when nothing more can be sent. */
  readonly ended: Promise<void>;
  /** Resolves when the answer stands still on purpose (`hang`, `stall`). */
  readonly standsStill: Promise<void>;
}

/** The server's own view of a request. */
export interface RequestRecord extends FakeRequest {
  chunksSent: number;
  state: FakeRequest['state'];
  /** Fires when nothing more can be sent. */
  readonly gone: AbortSignal;
  readonly response: ServerResponse;
  tellStandstill(): void;
}

/** Watches an answer from its begin to its end. */
export function recordRequest(
  seen: Pick<FakeRequest, 'number' | 'path' | 'headers' | 'body'>,
  response: ServerResponse,
): RequestRecord {
  const gone = new AbortController();
  const ended = deferred();
  const still = deferred();
  const record: RequestRecord = {
    ...seen,
    chunksSent: 0,
    state: 'answering',
    gone: gone.signal,
    response,
    ended: ended.promise,
    standsStill: still.promise,
    tellStandstill: still.resolve,
  };
  response.once('close', () => {
    if (record.state === 'answering')
      record.state = response.writableFinished ? 'finished' : 'aborted';
    gone.abort();
    ended.resolve();
  });
  return record;
}

function deferred(): Readonly<{ promise: Promise<void>; resolve: () => void }> {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
