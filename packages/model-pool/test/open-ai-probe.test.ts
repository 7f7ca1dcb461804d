import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { openAiProbe } from '../src/index.ts';
import { never } from './_pool.ts';

/** A server that answers each path with a status. */
async function startServer(statuses: Readonly<Record<string, number>>) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`.trim());
    response.writeHead(statuses[request.url ?? ''] ?? 404);
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { root, asked };
}

it.each([
  [{ '/health': 200 }, true, ['GET /health']],
  [{ '/health': 503 }, false, ['GET /health']],
  [{ '/v1/models': 200 }, true, ['GET /health', 'GET /v1/models']],
  [{ '/v1/models': 401 }, true, ['GET /health', 'GET /v1/models']],
  [{ '/v1/models': 502 }, false, ['GET /health', 'GET /v1/models']],
])('takes %j for %s', async (statuses, isWell, asked) => {
  const server = await startServer(statuses);
  for (const ending of ['/v1', '/v1/']) {
    expect(await openAiProbe(server.root + ending)(never)).toBe(isWell);
  }
  expect(server.asked).toEqual([...asked, ...asked]);
});

it('takes off one ending of the path, and sends the headers it was given', async () => {
  const server = await startServer({ '/v1/v1/health': 404, '/v1/health': 200 });
  const headers = { authorization: 'Bearer key' };
  expect(await openAiProbe(`${server.root}/v1/v1`, { headers })(never)).toBe(true);
  expect(server.asked).toEqual(['GET /v1/health Bearer key']);
});

it('rejects where nobody listens, and when it is aborted', async () => {
  await expect(openAiProbe('http://127.0.0.1:9/v1')(never)).rejects.toThrow();
  const server = await startServer({ '/health': 200 });
  await expect(openAiProbe(server.root)(AbortSignal.abort())).rejects.toThrow();
});
