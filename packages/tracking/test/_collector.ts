import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** A collector that keeps what it is sent. */
export type Collector = Readonly<{
  url: string;
  requests: { path: string; headers: IncomingHttpHeaders; body: string }[];
  close: () => void;
}>;

/** statuses: of the first answers; later ones are 200. null: no answer at all. */
export async function startCollector(
  statuses: readonly (number | null)[] = [],
): Promise<Collector> {
  const requests: Collector['requests'] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    requests.push({ path: request.url ?? '', headers: request.headers, body });
    const status = statuses[requests.length - 1];
    if (status === null) return;
    response.writeHead(status ?? 200, { 'content-type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(close);
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1/metrics`, requests, close };
}
