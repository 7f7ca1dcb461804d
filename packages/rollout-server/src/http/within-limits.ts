import type { ServerResponse } from 'node:http';
import type { ServerContext } from '../context.ts';
import { Refusal } from './refusal.ts';

/** Gives work a signal that fires when the caller hangs up, its time is over or the server closes. Its reason is the Refusal that says so. */
export async function withinLimits<Value>(
  { closing, effects }: Pick<ServerContext, 'closing' | 'effects'>,
  response: ServerResponse,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const end = new AbortController();
  const done = new AbortController();
  const hungUp = () => end.abort(new Refusal(499, 'caller_gone', 'The caller hung up.'));
  response.once('close', hungUp);
  effects.clock.sleep(timeoutMs, done.signal).then(
    () => end.abort(new Refusal(504, TIME_OVER, `It was not done within ${timeoutMs} ms.`)),
    () => undefined,
  );
  try {
    return await work(AbortSignal.any([end.signal, closing]));
  } finally {
    done.abort();
    response.off('close', hungUp);
  }
}

/** Whether a signal fired because the time of its request was over. */
export function isTimeOver({ reason }: AbortSignal): boolean {
  return reason instanceof Refusal && reason.code === TIME_OVER;
}

const TIME_OVER = 'timeout';
