import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that came in. `body` undefined: there was none. */
export type FakeEngineRequest = Readonly<{
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: unknown;
}>;

/** What the server does with a request. */
export type FakeEngineAnswer = Readonly<
  | { status?: number; body: unknown; headers?: Readonly<Record<string, string>> }
  /** Server-sent events, each as JSON. `isCut`: the connection breaks behind them. */
  | { events: readonly unknown[]; isCut?: boolean }
  /** A body as it is. */
  | { status?: number; text: string }
  /** No answer: until the client goes away, or the connection is broken at once. */
  | { nothing: 'hang' | 'break' }
>;

/** A server of one's own over a real socket. */
export interface FakeEngineServer {
  readonly url: string;
  readonly requests: readonly FakeEngineRequest[];
  /** Resolves when so many clients have gone away before their answer was whole. */
  goneClients(count: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts a server on a free port of this machine. What the function has no answer for is a 404, as FastAPI says it. */
export async function startFakeEngineServer(
  answer: (request: FakeEngineRequest) => FakeEngineAnswer | undefined,
): Promise<FakeEngineServer> {
  const requests: FakeEngineRequest[] = [];
  const gone = createCounter();
  const server = createServer((incoming, outgoing) => {
    outgoing.on('close', () => {
      if (!outgoing.writableFinished) gone.add();
    });
    readRequest(incoming)
      .then((request) => {
        requests.push(request);
        reply(outgoing, answer(request) ?? { status: 404, body: { detail: 'Not Found' } });
      })
      .catch((error: unknown) => reply(outgoing, { status: 500, body: { detail: String(error) } }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    goneClients: gone.reached,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readRequest(incoming: IncomingMessage): Promise<FakeEngineRequest> {
  const pieces: Uint8Array[] = [];
  for await (const piece of incoming) pieces.push(piece);
  const text = Buffer.concat(pieces).toString();
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: incoming.headers,
    body: text === '' ? undefined : JSON.parse(text),
  };
}

function reply(outgoing: ServerResponse, answer: FakeEngineAnswer): void {
  if ('nothing' in answer) {
    if (answer.nothing === 'break') outgoing.destroy();
    return;
  }
  if ('events' in answer) {
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
    const text = answer.events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
    if (answer.isCut) outgoing.write(text, () => outgoing.destroy());
    else outgoing.end(`${text}data: [DONE]\n\n`);
    return;
  }
  const headers = 'headers' in answer ? answer.headers : {};
  outgoing.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...headers });
  outgoing.end('text' in answer ? answer.text : JSON.stringify(answer.body));
}

function createCounter() {
  let count = 0;
  let waiting: (() => void)[] = [];
  return {
    add() {
      count += 1;
      for (const look of waiting) look();
    },
    reached: (wanted: number) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (count < wanted) return;
          waiting = waiting.filter((one) => one !== look);
          resolve();
        };
        waiting.push(look);
        look();
      }),
  };
}
