import { type Clock, HermesError } from '@hermes/protocol';
import type { StopSignal } from './stop-signal.ts';
import type { WorkTime } from './work-time.ts';

/** The longest wait of a JavaScript timer. */
const LONGEST_SLEEP_MS = 2 ** 31 - 1;

/**
 * Fires `stop` when the agent's own time is over. One timer at a time, not one a pause: when it
 * rings, what was spent waiting is waited for once more. The returned function takes it away.
 */
export function startDeadline(
  deadlineMs: number,
  time: WorkTime,
  stop: StopSignal,
  clock: Clock,
): () => void {
  const timer = new AbortController();
  let armed = false;
  let paused = false;

  function arm(): void {
    const leftMs = deadlineMs - time.workedMs();
    if (leftMs <= 0) stop.fire('deadline', overtime(deadlineMs));
    if (leftMs <= 0 || armed || paused) return;
    armed = true;
    clock.sleep(Math.min(leftMs, LONGEST_SLEEP_MS), timer.signal).then(ring, () => {});
  }

  function ring(): void {
    armed = false;
    if (!timer.signal.aborted && !paused) arm();
  }

  time.onPause((isPaused) => {
    paused = isPaused;
    if (!paused && !timer.signal.aborted) arm();
  });
  arm();
  return () => timer.abort('the loop has ended'); // without a reason an exception is made
}

function overtime(deadlineMs: number): HermesError {
  return new HermesError('environment', 'CANCELLED', `The agent's ${deadlineMs} ms are over.`);
}
