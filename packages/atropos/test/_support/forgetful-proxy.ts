import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Passes everything on to a server, and loses the answers to the first `lost` requests for a path: the server has acted, and the caller never hears of it. */
export async function startForgetfulProxy(
  baseUrl: string,
  path: string,
  lost = 1,
): Promise<AsyncDisposable & Readonly<{ baseUrl: string }>> {
  let left = lost;
  const server = createServer((asked, response) => {
    const { method = 'GET', url = '/', headers } = asked;
    const onward = request(new URL(url, baseUrl), { method, headers, agent: false }, (answer) => {
      const isLost = url === path && left > 0;
      if (isLost) left -= 1;
      answer.once('end', () => isLost && response.destroy());
      if (isLost) answer.resume();
      else answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers));
    });
    onward.once('error', () => response.destroy());
    asked.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
