import type { Clock, Limiter } from '@hermes/protocol';

/** The agent's own time: it stands still while all that the agent does is wait for a limiter. */
export interface WorkTime {
  /** Runs work when the limiter lets it (undefined: at once). */
  through<T>(limiter: Limiter | undefined, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  workedMs(): number;
  /** Called whenever time stands still (true) or runs again (false). */
  onPause(listener: (paused: boolean) => void): void;
  /** A child's time stands still, or runs again. */
  childPaused(paused: boolean): void;
}

/** A child's waiting is its parent's waiting too. */
export function createWorkTime(clock: Clock, parent: WorkTime | null): WorkTime {
  const startedMs = clock.now().monoMs;
  let listener: (paused: boolean) => void = () => {};
  let working = 0;
  let waiting = 0;
  let pausedSinceMs: number | null = null;
  let pausedMs = 0;

  function change(workers: number, waiters: number): void {
    working += workers;
    waiting += waiters;
    const paused = waiting > 0 && working === 0;
    if (paused === (pausedSinceMs !== null)) return;
    const nowMs = clock.now().monoMs;
    if (pausedSinceMs !== null) pausedMs += nowMs - pausedSinceMs;
    pausedSinceMs = paused ? nowMs : null;
    parent?.childPaused(paused);
    listener(paused);
  }

  async function work<T>(job: () => Promise<T>): Promise<T> {
    change(1, 0);
    try {
      return await job();
    } finally {
      change(-1, 0);
    }
  }

  /** A limiter with a free place begins at once: time does not stand still for it. */
  async function waitThenWork<T>(limiter: Limiter, signal: AbortSignal, job: () => Promise<T>) {
    let hasBegun = false;
    let isWaiting = false;
    const running = limiter.run(() => {
      hasBegun = true;
      change(1, isWaiting ? -1 : 0);
      return job();
    }, signal);
    isWaiting = !hasBegun;
    if (isWaiting) change(0, 1);
    try {
      return await running;
    } finally {
      if (hasBegun) change(-1, 0);
      else change(0, -1);
    }
  }

  return {
    through: (limiter, signal, job) => (limiter ? waitThenWork(limiter, signal, job) : work(job)),
    workedMs() {
      const nowMs = pausedSinceMs ?? clock.now().monoMs;
      return nowMs - startedMs - pausedMs;
    },
    onPause(next) {
      listener = next;
    },
    childPaused: (paused) => change(paused ? -1 : 1, paused ? 1 : -1),
  };
}
