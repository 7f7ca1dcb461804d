import { createMemorySandboxProvider } from '@hermes/sandbox';
import { describe, expect, it } from 'vitest';
import { createSandboxServer } from '../src/index.ts';
import { Client, type Reply, startServer, TOKEN } from './_server.ts';

const provider = createMemorySandboxProvider({ commands: { true: () => ({ exitCode: 0 }) } });

const reads: readonly string[] = ['/health', '/slots'];
const writes: readonly (readonly [string, unknown])[] = [
  ['/execute', { slot_id: 'slot_0', tool: 'bash', args: { command: 'true' } }],
  ['/batch', [{ slot_id: 'slot_0', tool: 'bash', args: { command: 'true' } }]],
  ['/reset', { slot_id: 'slot_0' }],
  ['/artifacts/read', { slot_id: 'slot_0', path: 'a' }],
  ['/artifacts/list', { slot_id: 'slot_0' }],
  ['/artifacts/archive', { slot_id: 'slot_0' }],
];
const wrongTokens = [null, '', 'wrong', `${TOKEN}x`, TOKEN.slice(0, -1)];

function expectRefusal(reply: Reply): void {
  expect(reply.status).toBe(401);
  expect(reply.headers.get('www-authenticate')).toBe('Bearer');
  expect(reply.body).toMatchObject({ success: false, error: expect.stringContaining('token') });
}

describe.each(reads)('GET %s', (path) => {
  it('needs the token', async () => {
    const { server, client } = await startServer(provider);
    for (const token of wrongTokens) expectRefusal(await new Client(server.url, token).get(path));
    expect((await client.get(path)).status).toBe(200);
  });

  it('refuses to be written to', async () => {
    const { client } = await startServer(provider);
    const reply = await client.post(path, {});
    expect(reply.status).toBe(405);
    expect(reply.headers.get('allow')).toBe('GET');
  });
});

describe.each(writes)('POST %s', (path, body) => {
  it('needs the token', async () => {
    const { server, client } = await startServer(provider);
    for (const token of wrongTokens)
      expectRefusal(await new Client(server.url, token).post(path, body));
    expect((await client.post(path, body)).status).not.toBe(401);
  });

  it('refuses to be read', async () => {
    const { client } = await startServer(provider);
    const reply = await client.get(path);
    expect(reply.status).toBe(405);
    expect(reply.headers.get('allow')).toBe('POST');
  });

  it('refuses what is no JSON, and what is none of its bodies', async () => {
    const { client } = await startServer(provider);
    expect((await client.text(path, '{"slot_id": ')).status).toBe(400);
    const wrong = await client.post(path, { slot_id: 1 });
    expect(wrong).toMatchObject({ status: 400, body: { success: false } });
  });
});

it.each(writes.filter(([path]) => path !== '/batch'))(
  'POST %s has no slot of another name',
  async (path, body) => {
    const { client } = await startServer(provider);
    const reply = await client.post(path, { ...(body as object), slot_id: 'slot_9' });
    expect(reply.status).toBe(404);
    expect(reply.body.error).toBe('there is no slot slot_9; there are slot_0 to slot_2');
  },
);

it('has nothing elsewhere, and takes no body larger than its bound', async () => {
  const { client } = await startServer(provider, { limits: { bodyBytes: 100 } });
  expect((await client.get('/')).status).toBe(404);
  expect((await client.post('/execute', { x: 'y'.repeat(200) })).status).toBe(413);
});

it('listens on loopback, and says which port is taken', async () => {
  const { server } = await startServer(provider);
  expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
  const again = createSandboxServer({
    provider,
    token: TOKEN,
    port: server.port,
    insecureNoSandbox: true,
  });
  await expect(again).rejects.toMatchObject({
    code: 'CONFIG',
    message: expect.stringMatching(/EADDRINUSE.*choose another port/),
  });
});

it.each([
  [{ token: '' }, /give a token/],
  [{ token: 'two words' }, /give a token/],
  [{ token: TOKEN, slots: 0 }, /slots: give a whole number above 0/],
])('refuses %j', async (options, message) => {
  await expect(createSandboxServer({ provider, port: 0, ...options })).rejects.toThrow(message);
});
