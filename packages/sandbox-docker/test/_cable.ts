import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { SOCKET } from './_docker.ts';

/** A cable to the daemon that can be cut. */
export type Cable = Readonly<{
  /** For the setting `host`. */
  host: string;
  /** Nothing passes any more, in either direction, and nobody is told. New connections stay silent, too. */
  stall(): void;
  /** Requests whose first line matches are never answered. */
  swallow(requests: RegExp): void;
  restore(): void;
}>;

/** A socket in front of the daemon's, gone after the test. */
export async function startCable(): Promise<Cable> {
  const folder = await mkdtemp(join(tmpdir(), 'hermes-cable-'));
  const path = join(folder, 'docker.sock');
  const pairs = new Set<readonly [Socket, Socket]>();
  let isStalled = false;
  let swallowed: RegExp | null = null;
  const server = createServer((near) => {
    near.on('error', () => near.destroy());
    if (isStalled) return;
    const far = connect(SOCKET).on('error', () => near.destroy());
    pairs.add([near, far]);
    // A connection serves many requests; each begins a chunk.
    near.on('data', (chunk) => {
      const [line = ''] = String(chunk).split('\r\n', 1);
      if (!isStalled && !swallowed?.test(line)) far.write(chunk);
    });
    far.pipe(near);
    near.once('close', () => far.destroy());
    far.once('close', () => near.destroy());
  });
  server.listen(path);
  await once(server, 'listening');
  onTestFinished(async () => {
    server.close();
    for (const pair of pairs) for (const socket of pair) socket.destroy();
    await rm(folder, { recursive: true });
  });
  return {
    host: `unix://${path}`,
    stall: () => {
      isStalled = true;
      for (const [near, far] of pairs) far.unpipe(near).pause();
    },
    swallow: (requests) => {
      swallowed = requests;
    },
    restore: () => {
      isStalled = false;
      swallowed = null;
    },
  };
}
