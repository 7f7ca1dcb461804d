import type { Clock } from '@hermes/protocol';

/** Calls back at set times. Whoever makes them closes them. */
export interface Alarms {
  /** Rings once after the time, unless the returned function is called before. Infinity: never. */
  setIn(ms: number, ring: () => void): () => void;
  /** Nothing rings any more; nothing is waited for. */
  close(): void;
}

type Alarm = Readonly<{ dueMs: number; ring: () => void }>;

/**
 * Any number of alarms on one sleep of the clock. A run sets several for each rollout and calls nearly
 * all of them off: that must cost less than a timer and a signal each. So an alarm that is called off
 * leaves the sleep as it is, and what is due is looked for when the sleep is over.
 */
export function createAlarms(clock: Clock): Alarms {
  const alarms = new Set<Alarm>();
  const closed = new AbortController();
  let wakesAtMs = Number.POSITIVE_INFINITY;

  function sleepUntil(dueMs: number, nowMs: number): void {
    if (dueMs >= wakesAtMs) return;
    wakesAtMs = dueMs;
    const isClosed = () => undefined;
    clock.sleep(Math.max(0, dueMs - nowMs), closed.signal).then(() => wake(dueMs), isClosed);
  }

  /** The clock has slept until `dueMs`, also where it reads a little less. */
  function wake(dueMs: number): void {
    if (closed.signal.aborted) return;
    if (dueMs === wakesAtMs) wakesAtMs = Number.POSITIVE_INFINITY;
    const nowMs = Math.max(dueMs, clock.now().monoMs);
    for (const alarm of alarms) {
      if (alarm.dueMs <= nowMs && alarms.delete(alarm)) alarm.ring();
    }
    let nextMs = Number.POSITIVE_INFINITY;
    for (const alarm of alarms) nextMs = Math.min(nextMs, alarm.dueMs);
    sleepUntil(nextMs, nowMs);
  }

  return {
    setIn(ms, ring) {
      if (!Number.isFinite(ms)) return () => undefined;
      const nowMs = clock.now().monoMs;
      const alarm = { dueMs: nowMs + ms, ring };
      alarms.add(alarm);
      sleepUntil(alarm.dueMs, nowMs);
      return () => void alarms.delete(alarm);
    },
    close() {
      alarms.clear();
      closed.abort('the run has ended'); // without a reason an exception is made
    },
  };
}
