import { createServer, type Server, type Socket } from 'node:net';
import type { ByteChannel, SandboxPorts } from '@hermes/sandbox';
import { SandboxError } from '@hermes/sandbox';

type Dial = (port: number) => Promise<ByteChannel>;

/** Ports on a slot's loopback, each behind a port of this machine's loopback, until the slot is gone. */
export function slotPorts(dial: Dial, gone: AbortSignal): SandboxPorts {
  const listeners = new Map<number, Promise<string>>();
  return {
    expose: async (port) => {
      checkPort(port);
      gone.throwIfAborted();
      const listening = listeners.get(port) ?? listen(dial, port, gone);
      listeners.set(port, listening);
      listening.catch(() => listeners.delete(port));
      return { url: await listening, headers: {} };
    },
    forward: async (port) => {
      checkPort(port);
      gone.throwIfAborted();
      return dial(port);
    },
  };
}

function checkPort(port: number): void {
  if (Number.isInteger(port) && port > 0 && port < 65_536) return;
  throw new SandboxError('CONFIG', 'request', `expose port ${port}: no such port`);
}

function listen(dial: Dial, port: number, gone: AbortSignal): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
    void relay(dial, port, socket).catch(() => socket.destroy());
  });
  gone.addEventListener('abort', () => close(server, sockets), { once: true });
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', () => resolve(urlOf(server)));
    server.unref();
  });
}

async function relay(dial: Dial, port: number, socket: Socket): Promise<void> {
  const channel = await dial(port);
  socket.once('close', () => channel.destroy());
  if (socket.destroyed) return channel.destroy();
  await Promise.all([sendAll(socket, channel), receiveAll(channel, socket)]);
}

async function sendAll(socket: Socket, channel: ByteChannel): Promise<void> {
  for await (const chunk of socket) await channel.write(chunk as Uint8Array);
  await channel.closeWrite();
}

async function receiveAll(channel: ByteChannel, socket: Socket): Promise<void> {
  for await (const chunk of channel.stdout)
    if (!socket.write(chunk))
      await new Promise((resume) => socket.once('drain', resume).once('close', resume));
  const { exitCode } = await channel.closed;
  // Nobody listens there: the other side learns it as it would of a port that is closed.
  if (exitCode === 0) socket.end();
  else socket.destroy();
}

function urlOf(server: Server): string {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return `http://127.0.0.1:${port}`;
}

function close(server: Server, sockets: ReadonlySet<Socket>): void {
  server.close();
  for (const socket of sockets) socket.destroy();
}
