import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HermesError } from '@hermes/protocol';

/** Returns where the server is reached. Throws CONFIG where the port is taken, or none. */
export function listen(server: Server, host: string, port: number): Promise<string> {
  return new Promise<string>((resolve, reject) => {
    server.once('error', reject);
    // it throws where the port is none
    server.listen(port, host, () => {
      const { port: bound } = server.address() as AddressInfo;
      resolve(`http://${addressOf(host)}:${bound}`);
    });
  }).catch((cause: Error) => {
    const message = `The gateway cannot listen on ${host}:${port}: ${cause.message}. Choose another port.`;
    throw new HermesError('config', 'CONFIG', message, { cause });
  });
}

/** Where a server on this host is reached from here. */
function addressOf(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
