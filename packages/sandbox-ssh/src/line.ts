import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { describeHop, type Hop } from './hop.ts';
import { cancelled, sshError } from './ssh-error.ts';

/** Intervals without a byte after which the other side counts as gone; in each of them it was asked for one. */
const SILENT_INTERVALS = 3;

/** A TCP connection to a server. Small writes go out at once: without that each command would wait 40 ms. */
export function openLine(hop: Hop, timeoutMs: number, signal?: AbortSignal): Promise<Socket> {
  const attempted = `connect to ${describeHop(hop)}`;
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hop.host, port: hop.port, noDelay: true });
    const fail = (error: Error) => {
      socket.destroy();
      signal?.removeEventListener('abort', onAbort);
      reject(error);
    };
    const onAbort = () => fail(cancelled(attempted, signal?.reason));
    const onError = (error: Error) => fail(sshError(error, attempted));
    if (signal?.aborted) return onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    socket.once('error', onError);
    socket.setTimeout(timeoutMs, () => onError(new Error(`no answer within ${timeoutMs} ms`)));
    socket.once('connect', () => {
      socket.setTimeout(0).removeListener('error', onError);
      signal?.removeEventListener('abort', onAbort);
      resolve(socket);
    });
  });
}

/** Ends a connection on which nothing is heard although it is probed in every interval: a cut cable says nothing by itself. */
export function endWhenSilent(line: Duplex, intervalMs: number): void {
  let silent = 0;
  line.on('data', () => {
    silent = 0;
  });
  const timer = setInterval(() => {
    silent += 1;
    if (silent > SILENT_INTERVALS) line.destroy();
  }, intervalMs);
  line.once('close', () => clearInterval(timer));
}
