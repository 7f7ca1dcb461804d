import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TrainerError } from '../trainer-error.ts';

/** Listens, and returns the port. Throws PORT_IN_USE, or CONFIG for an address where nobody can listen. */
export async function listen(server: Server, host: string, port: number): Promise<number> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
  } catch (cause) {
    throw notListening(cause as NodeJS.ErrnoException, host, port);
  }
  return (server.address() as AddressInfo).port;
}

/** Throws as `listen` would, and listens no longer. */
export async function refuseTaken(host: string, port: number): Promise<void> {
  const probe = createServer();
  await listen(probe, host, port);
  await new Promise((resolve) => probe.close(resolve));
}

function notListening(cause: NodeJS.ErrnoException, host: string, port: number): TrainerError {
  if (cause.code === 'EADDRINUSE') {
    const message = `Port ${port} of ${host} is in use. Stop what listens there, or choose another port (0 = any free one).`;
    return new TrainerError('PORT_IN_USE', message, { cause });
  }
  const message = `Cannot listen on ${host}:${port}: ${cause.message}`;
  return new TrainerError('CONFIG', message, { cause });
}
