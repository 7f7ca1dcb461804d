import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { forwardedPorts } from '../../src/host/index.ts';
import type { ByteChannel, SandboxPorts } from '../../src/index.ts';

let server: Server;
let inside = 0;
let onConnection: (socket: Socket) => void;
let gone: AbortController;
let ports: SandboxPorts;

beforeEach(async () => {
  gone = new AbortController();
  server = createServer({ allowHalfOpen: true }, (socket) => {
    onConnection(socket.on('error', () => undefined));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  inside = (server.address() as { port: number }).port;
  ports = forwardedPorts({ check: () => undefined, dial, gone: gone.signal });
});

afterEach(() => {
  gone.abort();
  server.close();
});

/** A connection of this machine's in the form that providers give. */
async function dial(port: number): Promise<ByteChannel> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  return {
    stdout: socket.iterator({ destroyOnReturn: false }),
    stderr: (async function* () {})(),
    write: (bytes) =>
      new Promise((resolve, reject) => {
        socket.write(bytes, (error) => (error ? reject(error) : resolve()));
      }),
    closeWrite: async () => void socket.end(),
    closed: new Promise((resolve) => {
      socket.once('end', () => resolve({ exitCode: 0, error: null }));
      socket.once('close', () => resolve({ exitCode: null, error: 'closed' }));
    }),
    destroy: () => void socket.destroy(),
  };
}

async function client(port: number = inside): Promise<Socket> {
  const { url } = await ports.expose(port);
  const socket = connect({
    port: Number(new URL(url).port),
    host: '127.0.0.1',
    allowHalfOpen: true,
  });
  return socket.on('error', () => undefined);
}

async function readAll(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(socket, 'close');
  return Buffer.concat(chunks);
}

it('carries more than any buffer holds, both ways, up to the end of each side', async () => {
  onConnection = (socket) => socket.pipe(socket);
  const sent = Buffer.alloc(8 * 1024 ** 2, 'hermes ');
  const socket = await client();
  const received = readAll(socket);
  socket.end(sent);
  expect((await received).equals(sent)).toBe(true);
});

it('gives a port one address, however often it is asked for', async () => {
  expect(await ports.expose(inside)).toEqual(await ports.expose(inside));
});

it('hands on the answer of a server that does not listen to the end', async () => {
  onConnection = (socket) => {
    socket.end('too much');
    socket.destroySoon();
  };
  const socket = await client();
  const received = readAll(socket);
  socket.end(Buffer.alloc(1024));
  expect((await received).toString()).toBe('too much');
});

it('closes a connection to a port where nobody listens without a word', async () => {
  server.close();
  await once(server, 'close');
  const socket = await client();
  socket.end();
  expect((await readAll(socket)).length).toBe(0);
});

it('ends listeners and connections with the sandbox', async () => {
  onConnection = (socket) => socket.write('hello');
  const socket = await client();
  await once(socket, 'data');
  const ended = once(socket, 'close');
  const { url } = await ports.expose(inside);
  gone.abort(new Error('the sandbox is gone'));
  socket.end();
  await ended;
  await expect(ports.expose(inside)).rejects.toThrow('the sandbox is gone');
  const late = connect(Number(new URL(url).port), '127.0.0.1');
  const [error] = await once(late, 'error');
  expect(error).toMatchObject({ code: 'ECONNREFUSED' });
});
