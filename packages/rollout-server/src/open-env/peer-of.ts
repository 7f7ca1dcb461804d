import type { WebSocket } from 'ws';
import type { Peer } from './session.ts';

const GOING_AWAY = 1001;

/** How long a client may take to agree that the connection ends. */
const GOODBYE_MS = 1_000;

/** A client that went without a word leaves its pings unanswered. */
export function peerOf(socket: WebSocket): Peer {
  let wasHeard = true;
  const heard = () => {
    wasHeard = true;
  };
  socket.on('pong', heard);
  socket.on('message', heard);
  return {
    isGone() {
      if (!wasHeard) return true;
      wasHeard = false;
      socket.ping();
      return false;
    },
    close(reason) {
      if (socket.readyState !== socket.OPEN) return;
      const data = { code: 'SESSION_ERROR', message: `The session was ended: ${reason}.` };
      socket.send(JSON.stringify({ type: 'error', data }));
      hangUp(socket, GOING_AWAY);
    },
  };
}

/** Lets what was sent arrive, then ends the connection, whether the client agrees or not. */
export function hangUp(socket: WebSocket, code: number): void {
  socket.close(code);
  const overdue = setTimeout(() => socket.terminate(), GOODBYE_MS);
  socket.once('close', () => clearTimeout(overdue));
}
