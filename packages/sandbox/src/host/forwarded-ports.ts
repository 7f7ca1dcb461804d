import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { ByteChannel, SandboxPorts } from '../types.ts';

export type ForwardedPortsOptions = Readonly<{
  /** Throws for a port that may not be reached. */
  check: (port: number) => void;
  /** Before the first connection: throws where no port can be reached. Default: nothing is asked. */
  prove?: (port: number) => Promise<void>;
  /** A connection to the sandbox's port. It is closed with exit code 0 when the server there has said all that it had to say. */
  dial: (port: number) => Promise<ByteChannel>;
  /** Then every listener and connection ends. */
  gone: AbortSignal;
}>;

/** Ports of a sandbox, each behind a port of this machine's loopback. */
export function forwardedPorts(options: ForwardedPortsOptions): SandboxPorts {
  const listeners = new Map<number, Promise<string>>();
  return {
    expose: async (port) => {
      options.check(port);
      options.gone.throwIfAborted();
      const listening = listeners.get(port) ?? listen(options, port);
      listeners.set(port, listening);
      listening.catch(() => listeners.delete(port));
      return { url: await listening, headers: {} };
    },
    forward: async (port) => {
      options.check(port);
      options.gone.throwIfAborted();
      return options.dial(port);
    },
  };
}

async function listen({ prove, dial, gone }: ForwardedPortsOptions, port: number): Promise<string> {
  await prove?.(port);
  gone.throwIfAborted();
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
    void relay(dial(port), socket).catch(() => socket.destroy());
  });
  gone.addEventListener('abort', () => close(server, sockets), { once: true });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  return urlOf(server);
}

async function relay(dialling: Promise<ByteChannel>, socket: Socket): Promise<void> {
  const channel = await dialling;
  const over = new AbortController();
  socket.once('close', () => {
    over.abort();
    channel.destroy();
  });
  if (socket.destroyed) return channel.destroy();
  await Promise.all([sendAll(socket, channel), receiveAll(channel, socket, over.signal)]);
}

async function sendAll(socket: Socket, channel: ByteChannel): Promise<void> {
  let isTaken = true;
  // Its end leaves the other direction open.
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    // A server that takes no more may still have something to say.
    if (!isTaken) continue;
    const written = channel.write(chunk as Uint8Array);
    isTaken = await written.then(
      () => true,
      () => false,
    );
  }
  if (isTaken) await channel.closeWrite();
}

async function receiveAll(
  channel: ByteChannel,
  socket: Socket,
  closed: AbortSignal,
): Promise<void> {
  for await (const chunk of channel.stdout)
    if (!socket.write(chunk)) await once(socket, 'drain', { signal: closed });
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
