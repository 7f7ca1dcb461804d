import type { ServerResponse } from 'node:http';
import type { GatewayContext } from '../context.ts';
import { Refusal } from '../http/refusal.ts';
import type { Session } from '../sessions/session.ts';

/** Runs a model call that ends when the agent hangs up, the session ends or it takes too long: then it throws a Refusal with 504. */
export async function withinLimits(
  { callTimeoutMs }: GatewayContext,
  response: ServerResponse,
  session: Session,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const end = new AbortController();
  const hungUp = () => end.abort('the agent hung up');
  const late = new Refusal(504, 'timeout', `The model did not answer within ${callTimeoutMs} ms.`);
  const overdue = setTimeout(() => end.abort(late), callTimeoutMs);
  response.once('close', hungUp);
  try {
    await work(AbortSignal.any([end.signal, session.ended]));
  } catch (error) {
    throw end.signal.reason === late ? late : error;
  } finally {
    clearTimeout(overdue);
    response.off('close', hungUp);
  }
}
