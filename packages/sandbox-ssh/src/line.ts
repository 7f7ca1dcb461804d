import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { describeHop, type Hop } from './hop.ts';
import { sshError } from './ssh-error.ts';

/** Intervals without a byte after which the other side counts as gone; in each of them it was asked for one. */
const SILENT_INTERVALS = 3;

/** A TCP connection to a server. Small writes go out at once: without that each command would wait 40 ms. */
export function openLine(hop: Hop, timeoutMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hop.host, port: hop.port, noDelay: true });
    const fail = (error: Error) => {
      socket.destroy();
      reject(sshError(error, `connect to ${describeHop(hop)}`));
    };
    const late = () => fail(new Error(`no answer within ${timeoutMs} ms`));
    socket.once('error', fail).setTimeout(timeoutMs, late);
    // Whoever uses the line learns of its end; without a listener the process would crash.
    socket.on('error', () => undefined);
    socket.once('connect', () => {
      socket.setTimeout(0).off('timeout', late).off('error', fail);
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
