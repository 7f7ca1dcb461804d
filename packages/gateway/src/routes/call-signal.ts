import type { ServerResponse } from 'node:http';
import type { GatewayContext } from '../context.ts';
import type { Session } from '../sessions/session.ts';

/** Ends a call when the agent hangs up, the session ends or it takes too long. `release`: once it has ended. */
export function callSignal(
  { callTimeoutMs }: GatewayContext,
  response: ServerResponse,
  session: Session,
): { readonly signal: AbortSignal; readonly release: () => void } {
  const end = new AbortController();
  const hungUp = () => end.abort('the agent hung up');
  const overdue = setTimeout(() => end.abort(OVERDUE), callTimeoutMs);
  response.once('close', hungUp);
  return {
    signal: AbortSignal.any([end.signal, session.ended]),
    release() {
      clearTimeout(overdue);
      response.off('close', hungUp);
    },
  };
}

/** Why a signal fired that ended a call at its deadline. */
export const OVERDUE = 'the call took too long';
