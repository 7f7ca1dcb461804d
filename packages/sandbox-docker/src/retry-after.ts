import { manifestUrl } from './image-reference.ts';
import { limited } from './limited.ts';

const LONGEST_ANSWER_MS = 5000;

/**
 * How long a busy registry wants to be left alone, in milliseconds; null where it does not say. The daemon keeps that to itself, so
 * the registry is asked for it.
 */
export async function retryAfter(ref: string, signal: AbortSignal): Promise<number | null> {
  try {
    const answer = await fetch(manifestUrl(ref), {
      method: 'HEAD',
      signal: limited(LONGEST_ANSWER_MS, signal),
    });
    return answer.status === 429 || answer.status === 503
      ? readRetryAfter(answer.headers.get('retry-after'), Date.now())
      : null;
  } catch {
    return null; // it cannot be reached from here; the daemon may reach it all the same
  }
}

/** Seconds, or a date. */
export function readRetryAfter(text: string | null, nowMs: number): number | null {
  if (text === null) return null;
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const dateMs = Date.parse(text);
  return Number.isNaN(dateMs) ? null : Math.max(0, dateMs - nowMs);
}
