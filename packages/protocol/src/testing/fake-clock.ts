import type { Clock, Instant } from '../effects.ts';
import { HermesError } from '../errors.ts';

/** A clock that only moves when told to. */
export interface FakeClock extends Clock {
  /** Moves time on, ending the sleeps that fall due on the way, in order. */
  advance(ms: number): Promise<void>;
  /** How many sleeps are still waiting. */
  sleeping(): number;
}

/** Options of `fakeClock`. */
export type FakeClockOptions = Readonly<{
  /** Where the wall clock stands at first; default 2026-01-01T00:00:00Z. */
  startWallMs?: number;
  /** True: a sleep moves time on by itself and ends at once. Default false. */
  autoAdvance?: boolean;
}>;

type Sleeper = { readonly dueMs: number; readonly wake: () => void };

const START_WALL_MS = Date.UTC(2026, 0, 1);

/** A manual clock. `monoMs` starts at 0. */
export function fakeClock(options: FakeClockOptions = {}): FakeClock {
  const startWallMs = options.startWallMs ?? START_WALL_MS;
  const sleepers = new Set<Sleeper>();
  let elapsedMs = 0;

  async function advance(ms: number): Promise<void> {
    const untilMs = elapsedMs + ms;
    await settle();
    for (let next = earliest(sleepers); next && next.dueMs <= untilMs; next = earliest(sleepers)) {
      elapsedMs = Math.max(elapsedMs, next.dueMs);
      next.wake();
      await settle();
    }
    elapsedMs = untilMs;
  }

  function sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.reject(cancelled());
    if (options.autoAdvance) {
      elapsedMs += ms;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const end = (settleSleep: () => void) => () => {
        sleepers.delete(sleeper);
        signal?.removeEventListener('abort', abort);
        settleSleep();
      };
      const sleeper = { dueMs: elapsedMs + ms, wake: end(resolve) };
      const abort = end(() => reject(cancelled()));
      sleepers.add(sleeper);
      signal?.addEventListener('abort', abort);
    });
  }

  return {
    now: (): Instant => ({ wallMs: startWallMs + elapsedMs, monoMs: elapsedMs }),
    sleep,
    advance,
    sleeping: () => sleepers.size,
  };
}

/** Of two sleeps that fall due at once the one that began first. */
function earliest(sleepers: ReadonlySet<Sleeper>): Sleeper | undefined {
  let first: Sleeper | undefined;
  for (const sleeper of sleepers) if (!first || sleeper.dueMs < first.dueMs) first = sleeper;
  return first;
}

/** Lets everything run that only waits for promises. */
function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

function cancelled(): HermesError {
  return new HermesError('environment', 'CANCELLED', 'The sleep was cancelled by its signal.');
}
