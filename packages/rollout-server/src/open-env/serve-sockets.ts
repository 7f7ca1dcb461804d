import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { ServerContext } from '../context.ts';
import { hasAccess } from '../http/has-access.ts';
import { answerMessage, errorMessage } from './answer-message.ts';
import { hangUp, peerOf } from './peer-of.ts';
import type { Session } from './session.ts';

const PATH = '/ws';
const NORMAL = 1000;
const TRY_AGAIN_LATER = 1013;

/** Serves `/ws`: one session a connection. */
export function serveSockets(context: ServerContext, server: Server): void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: context.bodyBytes });
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    const refusal = refusalOf(context, request);
    if (refusal !== null) return refuse(stream, refusal);
    sockets.handleUpgrade(request, stream, head, (socket) => serveSocket(context, socket));
  });
}

/** null = the connection is welcome. */
function refusalOf(context: ServerContext, request: IncomingMessage): string | null {
  const [path] = (request.url ?? '').split('?');
  if (context.closing.aborted) return '503 Service Unavailable';
  if (path !== PATH) return '404 Not Found';
  return hasAccess(request, context.token) ? null : '401 Unauthorized';
}

function refuse(stream: Duplex, status: string): void {
  stream.on('error', () => stream.destroy());
  stream.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

function serveSocket(context: ServerContext, socket: WebSocket): void {
  // a broken connection is closed as well, and that is where the session ends
  socket.on('error', (error) => {
    context.effects.logger.log('info', `A connection failed: ${error.message}`);
  });
  try {
    const id = context.effects.newId('session');
    converse(context, socket, context.sessions.open(id, peerOf(socket)));
  } catch (error) {
    socket.send(JSON.stringify(errorMessage(error)));
    hangUp(socket, TRY_AGAIN_LATER);
  }
}

/** Answers one message after the other. What still runs when the connection closes is cancelled. */
function converse(context: ServerContext, socket: WebSocket, session: Session): void {
  let answered = Promise.resolve();
  socket.on('message', (data) => {
    answered = answered.then(async () => {
      if (socket.readyState !== socket.OPEN) return;
      const answer = await answerMessage(context, session, String(data));
      if (answer === null) hangUp(socket, NORMAL);
      else if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(answer));
    });
  });
  socket.once('close', () => context.sessions.endLater(session, 'its connection closed'));
}
