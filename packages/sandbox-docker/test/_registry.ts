import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import {
  request as ask,
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, createServer as createNetServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { BUSYBOX, docker } from './_docker.ts';

/** What stands between the daemon and the registry. Returns whether it has dealt with the request; else that goes on to the registry. */
type Fault = (request: IncomingMessage, response: ServerResponse) => boolean;

/** A registry on the loopback, with a door in front of it that can go wrong. */
export type Registry = Readonly<{
  /** HOST:PORT of the door. */
  address: string;
  /** Pushes an image of layers that no machine has, and takes it off this one. Its name at the door. */
  publish(name: string, layerBytes: readonly number[]): Promise<string>;
  fault(fault: Fault | null): void;
  /** The requests so far, as METHOD PATH. */
  seen: string[];
  close(): Promise<void>;
}>;

export async function startRegistry(): Promise<Registry> {
  const folder = await mkdtemp(join(tmpdir(), 'hermes-registry-'));
  const inner = await freePort();
  await writeFile(join(folder, 'registry.yml'), configOf(folder, inner));
  const argv = ['serve', join(folder, 'registry.yml')];
  const program = spawn('docker-registry', argv, { stdio: 'ignore' });
  await vi.waitFor(() => fetch(`http://127.0.0.1:${inner}/v2/`), { timeout: 30_000 });
  const door: { fault: Fault | null } = { fault: null };
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    if (door.fault?.(request, response) !== true) pass(inner, request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    address,
    seen,
    publish: (name, layerBytes) => publish(folder, `${address}/${name}`, layerBytes),
    fault: (fault) => {
      door.fault = fault;
    },
    close: () => close(program, server, folder),
  };
}

function configOf(folder: string, port: number): string {
  const storage = { filesystem: { rootdirectory: join(folder, 'data') } };
  return JSON.stringify({ version: 0.1, storage, http: { addr: `127.0.0.1:${port}` } });
}

async function freePort(): Promise<number> {
  const server = createNetServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

function pass(port: number, request: IncomingMessage, response: ServerResponse): void {
  const { method, url, headers } = request;
  const onward = ask({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  request.pipe(onward);
}

async function publish(
  folder: string,
  ref: string,
  layerBytes: readonly number[],
): Promise<string> {
  const context = await mkdtemp(join(folder, 'context-'));
  const copies = layerBytes.map((_, at) => `COPY layer${at} /layer${at}`);
  await writeFile(join(context, 'Dockerfile'), [`FROM ${BUSYBOX}`, ...copies].join('\n'));
  for (const [at, bytes] of layerBytes.entries())
    await writeFile(join(context, `layer${at}`), randomBytes(bytes));
  const src = ['Dockerfile', ...layerBytes.map((_, at) => `layer${at}`)];
  await follow(await docker.buildImage({ context, src }, { t: ref }));
  await follow(await docker.getImage(ref).push({ authconfig: { username: '', password: '' } }));
  await docker.getImage(ref).remove({ force: true });
  return ref;
}

function follow(stream: NodeJS.ReadableStream): Promise<unknown> {
  return new Promise((resolve, reject) =>
    docker.modem.followProgress(stream, (error, lines) => (error ? reject(error) : resolve(lines))),
  );
}

async function close(program: ChildProcess, server: Server, folder: string): Promise<void> {
  server.closeAllConnections();
  server.close();
  const ended = once(program, 'exit');
  program.kill();
  await ended;
  await rm(folder, { recursive: true });
}
