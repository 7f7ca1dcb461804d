import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FakeDataset } from './fake-dataset.ts';
import { answerHub } from './hub-answers.ts';
import { playAnswer } from './play-answer.ts';

/** A request that reached the fake hub, or the server of its large files. */
export type FakeHubRequest = Readonly<{
  method: string;
  /** Path and query. */
  path: string;
  range: string | null;
  authorization: string | null;
  /** Whether it reached the server of large files. */
  isLargeFile: boolean;
}>;

/** What can go wrong with one answer. */
export type FakeHubFault = Readonly<
  | { kind: 'status'; status: number; retryAfterSeconds?: number }
  | { kind: 'reset' }
  | { kind: 'hang' }
  /** So many bytes of the body, then nothing more; once `until` resolves the connection is cut. */
  | { kind: 'cut'; afterBytes: number; until?: () => Promise<void> }
  | { kind: 'stall'; afterBytes: number }
  /** The body has other bytes than the listing promises. */
  | { kind: 'garble' }
  /** Ranges are not honoured: 200 with the whole body. */
  | { kind: 'no-ranges' }
>;

/** What the fake hub holds, and how it misbehaves. */
export type FakeHubOptions = Readonly<{
  datasets: Readonly<Record<string, FakeDataset>>;
  /** Asked for every request; null = answer rightly. */
  fault?: (request: FakeHubRequest, number: number) => FakeHubFault | null;
  /** Entries a page of a listing. Default 1000. */
  pageSize?: number;
}>;

/** A running fake hub. */
export type FakeHub = Readonly<{
  endpoint: string;
  requests: readonly FakeHubRequest[];
  /** Idempotent. */
  close: () => Promise<void>;
}>;

/** Starts a hub on real sockets of this machine: listings, revisions, files with ranges, large files elsewhere. */
export async function startFakeHub(options: FakeHubOptions): Promise<FakeHub> {
  const requests: FakeHubRequest[] = [];
  const origins = { hub: '', large: '' };
  const serve = (isLargeFile: boolean) =>
    createServer((incoming, response) => {
      const request = readRequest(incoming, isLargeFile);
      requests.push(request);
      const fault = options.fault?.(request, requests.length) ?? null;
      playAnswer(response, request, fault, () => answerHub(options, origins, request));
    });
  const [hub, large] = [serve(false), serve(true)];
  origins.hub = await listen(hub);
  origins.large = await listen(large);
  const close = async () => {
    await Promise.all([hub, large].map(stop));
  };
  return { endpoint: origins.hub, requests, close };
}

function readRequest(incoming: IncomingMessage, isLargeFile: boolean): FakeHubRequest {
  return {
    method: incoming.method ?? 'GET',
    path: incoming.url ?? '/',
    range: incoming.headers.range ?? null,
    authorization: incoming.headers.authorization ?? null,
    isLargeFile,
  };
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function stop(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}
