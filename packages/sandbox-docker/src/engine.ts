import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { settingsError } from '@hermes/sandbox/host';
import Dockerode from 'dockerode';
import type { ResolvedDockerSettings } from './settings.ts';

/** The daemon's API. */
export type Engine = Readonly<{
  docker: Dockerode;
  /** As the user wrote it. */
  address: string;
  /** Over a socket of this machine, on which the daemon runs then, or in a machine of its own on it. */
  isLocal: boolean;
  /** Where ports that containers publish are reached; null: not from here. */
  publishedHost: string | null;
}>;

/** Names the daemon; nothing is asked of it yet. Throws CONFIG for certificates that cannot be read. */
export function connectEngine({ host, certPath }: ResolvedDockerSettings): Engine {
  const url = new URL(host);
  // The library reads the same variables by itself, so everything that it would take from them is said here.
  const unset = { host: undefined, port: undefined, socketPath: undefined, protocol: undefined };
  if (url.protocol === 'unix:')
    return engine(host, { ...unset, socketPath: decodeURIComponent(url.pathname) }, '127.0.0.1');
  const tls = certPath === undefined ? {} : readCertificates(certPath);
  const protocol =
    url.protocol === 'tcp:' ? (certPath === undefined ? 'http' : 'https') : scheme(url);
  const account = url.username === '' ? {} : { username: url.username };
  const place = { host: url.hostname, port: url.port === '' ? defaultPort(protocol) : url.port };
  return engine(host, { ...unset, ...place, ...account, ...tls, protocol }, null);
}

function engine(address: string, options: object, publishedHost: string | null): Engine {
  const docker = new Dockerode(options as Dockerode.DockerOptions);
  return { docker, address, isLocal: publishedHost !== null, publishedHost };
}

function scheme(url: URL): string {
  return url.protocol.replace(':', '');
}

function defaultPort(protocol: string): number {
  if (protocol === 'ssh') return 22;
  return protocol === 'https' ? 2376 : 2375;
}

function readCertificates(folder: string): { ca: Buffer; cert: Buffer; key: Buffer } {
  try {
    const read = (name: string) => readFileSync(join(folder, name));
    return { ca: read('ca.pem'), cert: read('cert.pem'), key: read('key.pem') };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw settingsError('docker', `setting 'certPath': ${reason}`);
  }
}

/** What the daemon says of an image. The library's own call cannot be given up. */
export function inspectImage(
  { docker }: Engine,
  name: string,
  abortSignal: AbortSignal,
): Promise<Dockerode.ImageInspectInfo> {
  const path = `/images/${name}/json`;
  const statusCodes = { 200: true, 404: 'no such image', 500: 'server error' };
  return new Promise((resolve, reject) => {
    docker.modem.dial({ path, method: 'GET', abortSignal, statusCodes }, (error, answer) =>
      error ? reject(error) : resolve(answer as Dockerode.ImageInspectInfo),
    );
  });
}

type Hijack = Readonly<{
  path: string;
  query?: Readonly<Record<string, unknown>>;
  body?: object;
  signal: AbortSignal | undefined;
}>;

/** A request that turns its connection into a raw stream in both directions. */
export function hijack({ docker }: Engine, { path, query, body, signal }: Hijack): Promise<Duplex> {
  const options = {
    path: query === undefined ? path : `${path}?`,
    method: 'POST',
    isStream: true,
    hijack: true,
    openStdin: false,
    ...(signal === undefined ? {} : { abortSignal: signal }),
    statusCodes: { 101: true, 200: true, 404: 'not found', 409: 'conflict', 500: 'server error' },
    options: { _query: query, _body: body },
    // Without a body an empty one of known length: the end mark of a chunked one could be taken for the stream's first bytes.
    ...(body === undefined ? { file: Buffer.alloc(0) } : {}),
  };
  return new Promise((resolve, reject) => {
    docker.modem.dial(options, (error: unknown, stream: unknown) =>
      error ? reject(error) : resolve(stream as Duplex),
    );
  });
}
