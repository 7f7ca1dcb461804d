import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadRunConfig } from '@hermes/env-core';
import { expect, it } from 'vitest';
import { checkEndpoint } from '../src/openai/check-endpoint.ts';
import { endpointOf } from '../src/openai/endpoint.ts';

const never = new AbortController().signal;

/** Asks a server that answers like this for its models. */
async function ask(
  answer: RequestListener,
  options: { readonly signal?: AbortSignal; readonly limitMs?: number } = {},
): Promise<readonly string[]> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const [settings] = (await loadRunConfig()).servers;
  if (settings === undefined) throw new Error('no server is configured');
  const baseUrl = `http://127.0.0.1:${port}/v1/`;
  const endpoint = endpointOf({ ...settings, baseUrl, apiKey: 'sk' }, 'some', {});
  try {
    return await checkEndpoint(endpoint, options.signal ?? never, options.limitMs);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

it('asks once, for the list of models, with the key', async () => {
  const asked: unknown[] = [];
  const names = await ask((request, response) => {
    asked.push([request.method, request.url, request.headers.authorization]);
    response.end(JSON.stringify({ data: [{ id: 'one' }, { id: 'two' }, { name: 'no id' }] }));
  });
  expect(names).toEqual(['one', 'two']);
  expect(asked).toEqual([['GET', '/v1/models', 'Bearer sk']]);
});

it.each<[string, RequestListener]>([
  ['no list', (_, response) => response.writeHead(404).end('not here')],
  ['too many questions', (_, response) => response.writeHead(429).end()],
  ['a fault of its own', (_, response) => response.writeHead(500).end()],
  ['no JSON', (_, response) => response.end('<html>')],
  ['another JSON', (_, response) => response.end('[1, 2]')],
  ['a broken connection', (request) => request.socket.destroy()],
  ['a broken answer', (_, response) => response.writeHead(200, { 'content-length': 9 }).write('{')],
])('does not hold %s against an endpoint', async (_what, answer) => {
  expect(await ask(answer, { limitMs: 500 })).toEqual([]);
});

it('waits no longer than it may for an endpoint that says nothing', async () => {
  expect(await ask(() => undefined, { limitMs: 50 })).toEqual([]);
});

it('ends at once when the command is interrupted', async () => {
  const controller = new AbortController();
  const asking = ask(() => controller.abort(new Error('stopped')), { signal: controller.signal });
  await expect(asking).rejects.toThrow('stopped');
});
