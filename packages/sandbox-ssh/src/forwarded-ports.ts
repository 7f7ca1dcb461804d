import { createServer, type Server, type Socket } from 'node:net';
import { SandboxError, type SandboxPorts } from '@hermes/sandbox';
import { unsupported } from '@hermes/sandbox/host';
import { programChannel } from './channel.ts';
import type { SshConnection } from './ssh-connection.ts';
import { CHANNEL_REASON, channelReason, sshError } from './ssh-error.ts';

/**
 * Ports of the host's loopback, each behind a port of this machine's loopback, until the sandbox is gone. Only those that the
 * sandbox was made with: any other could be another sandbox's.
 */
export function forwardedPorts(
  connection: () => Promise<SshConnection>,
  own: readonly number[],
  gone: AbortSignal,
): SandboxPorts {
  const listeners = new Map<number, Promise<string>>();
  const check = (port: number) => {
    if (own.includes(port)) return;
    const message = `expose port ${port}: name it in the sandbox's spec.ports`;
    throw new SandboxError('CONFIG', 'request', message);
  };
  return {
    expose: async (port) => {
      check(port);
      gone.throwIfAborted();
      const listening = listeners.get(port) ?? listen(connection, port, gone);
      listeners.set(port, listening);
      listening.catch(() => listeners.delete(port));
      return { url: await listening, headers: {} };
    },
    forward: async (port) => {
      check(port);
      gone.throwIfAborted();
      return programChannel(
        await (await connection()).forward('127.0.0.1', port).catch(fail(port)),
      );
    },
  };
}

async function listen(
  connection: () => Promise<SshConnection>,
  port: number,
  gone: AbortSignal,
): Promise<string> {
  await proveForwarding(await connection(), port);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
    void relay(connection, port, socket).catch(() => socket.destroy());
  });
  gone.addEventListener('abort', () => close(server, sockets), { once: true });
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', () => resolve(urlOf(server)));
    server.unref();
  });
}

async function relay(
  connection: () => Promise<SshConnection>,
  port: number,
  socket: Socket,
): Promise<void> {
  const stream = await (await connection()).forward('127.0.0.1', port);
  stream.on('error', () => socket.destroy()).once('close', () => socket.end());
  socket.once('close', () => {
    stream.resume();
    stream.destroy();
  });
  socket.pipe(stream).pipe(socket);
}

/** A port where nobody listens yet is no reason to refuse; a server that forwards nothing is. */
async function proveForwarding(connection: SshConnection, port: number): Promise<void> {
  try {
    const stream = await connection.forward('127.0.0.1', port);
    stream.resume();
    stream.destroy();
  } catch (cause) {
    if (channelReason(cause) !== CHANNEL_REASON.connectFailed) return fail(port)(cause);
  }
}

function fail(port: number): (cause: unknown) => never {
  return (cause) => {
    if (channelReason(cause) === CHANNEL_REASON.prohibited)
      throw unsupported(
        `expose port ${port}: the server forwards no ports; set AllowTcpForwarding in its sshd_config`,
      );
    throw sshError(cause, `reach port ${port} over ssh`);
  };
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
