import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import type { RolloutServer } from '../src/index.ts';

/** What of the answers the tests look at. */
// biome-ignore lint/suspicious/noExplicitAny: the tests say themselves what they expect
type Reply = Readonly<{ type: string; data: any }>;

/** A client of `/ws` that waits for the answer to each message. */
export async function openSocket(
  { baseUrl }: RolloutServer,
  options: ClientOptions = {},
): Promise<
  Readonly<{
    socket: WebSocket;
    next: () => Promise<Reply>;
    /** Sends a message in OpenEnv's form, or a text as it is. */
    send: (message: object | string) => Promise<Reply>;
  }>
> {
  const socket = new WebSocket(`${baseUrl.replace('http', 'ws')}/ws`, options);
  const replies: Reply[] = [];
  socket.on('message', (data) => replies.push(JSON.parse(String(data))));
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  const next = async (): Promise<Reply> => {
    if (replies.length === 0) await once(socket, 'message');
    return replies.shift() ?? next();
  };
  return {
    socket,
    next,
    send(message) {
      socket.send(typeof message === 'string' ? message : JSON.stringify(message));
      return next();
    },
  };
}
