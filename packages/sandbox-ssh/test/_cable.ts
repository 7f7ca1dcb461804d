import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { portOf } from './_sshd.ts';

/** A cable that can be cut: a TCP proxy in front of a server. */
export type Cable = Readonly<{
  port: number;
  /** Resets every connection; new ones are refused until `restore`. */
  cut(): void;
  /** Nothing passes any more, and nobody is told. New connections stay silent, too. */
  stall(): void;
  restore(): void;
}>;

export async function startCable(target: number): Promise<Cable> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let state: 'open' | 'cut' | 'stalled' = 'open';
  const server: Server = createServer((near) => {
    near.on('error', () => near.destroy());
    if (state === 'cut') near.resetAndDestroy();
    if (state !== 'open') return;
    const far = connect(target, '127.0.0.1').on('error', () => near.destroy());
    const pair = [near, far] as const;
    pairs.add(pair);
    near.pipe(far).pipe(near);
    near.once('close', () => far.destroy());
    far.once('close', () => near.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const end = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
    pairs.clear();
  };
  onTestFinished(() => {
    end();
    server.close();
  });
  return {
    port: portOf(server),
    cut: () => {
      state = 'cut';
      for (const [near] of pairs) near.resetAndDestroy();
      end();
    },
    stall: () => {
      state = 'stalled';
      for (const [near, far] of pairs) {
        near.unpipe(far).pause();
        far.unpipe(near).pause();
      }
    },
    restore: () => {
      state = 'open';
    },
  };
}
