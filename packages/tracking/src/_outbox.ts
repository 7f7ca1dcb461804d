import type { Clock, Logger } from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';
import type { MetricTarget, TrackedEntry, TrackerOptions } from './types.ts';

const RETRY_MS = 15_000;
const MAX_WAITING = 10_000;
const BATCH = 500;

/** What waits for one target. */
export type Outbox = Readonly<{
  put: (entry: TrackedEntry) => void;
  /** Resolves when all is written, when it cannot be, or when the deadline fires. */
  close: () => Promise<void>;
}>;

type OutboxOptions = TrackerOptions &
  Readonly<{ clock: Clock; logger: Logger; deadline: AbortSignal }>;

/** Hands entries to the target one batch after another; a batch that failed is tried again until the outbox is closed. */
export function openOutbox(target: MetricTarget, options: OutboxOptions): Outbox {
  const { clock, deadline, retryMs = RETRY_MS, maxWaiting = MAX_WAITING } = options;
  const closed = new AbortController();
  const tell = tellOnce(target.name, options.logger);
  const waiting: TrackedEntry[] = [];
  let isGone = false;
  let work: Promise<void> | null = null;

  const keepNewest = (): void => {
    const tooMany = waiting.length - maxWaiting;
    if (tooMany <= 0) return;
    waiting.splice(0, tooMany);
    tell('it does not keep up with the run; the oldest of what waits is dropped');
  };
  /** false: no more attempts. */
  const writeBatch = async (): Promise<boolean> => {
    const batch = waiting.splice(0, BATCH);
    const isLastTry = closed.signal.aborted;
    try {
      await target.write(batch, deadline);
      return true;
    } catch (error) {
      isGone = HermesError.isInstance(error) && !error.retryable;
      if (isGone) waiting.length = 0;
      else waiting.unshift(...batch);
      tell(`${messageOf(error)}; ${isGone ? GONE : RETRIED}`);
      keepNewest();
      if (isGone || isLastTry) return false;
      await clock.sleep(retryMs, closed.signal).catch(() => undefined);
      return true;
    }
  };
  const drain = async (): Promise<void> => {
    while (waiting.length > 0) if (!(await writeBatch())) return;
  };
  const start = (): void => {
    work ??= drain().finally(() => {
      work = null;
      if (waiting.length > 0 && !closed.signal.aborted) start(); // came while the drain was ending
    });
  };
  const finish = async (): Promise<void> => {
    start();
    await work;
    await target.close(deadline);
  };
  return {
    put: (entry) => {
      if (isGone) return;
      waiting.push(entry);
      keepNewest();
      start();
    },
    close: async () => {
      closed.abort();
      const ended = finish().catch((error) => tell(messageOf(error)));
      const isLate = await Promise.race([ended.then(() => false), fired(deadline)]);
      if (!isLate) return;
      tell('it did not end in time; what it had not taken by then is lost');
      void target.close(AbortSignal.abort()).catch(() => undefined); // nobody waits for it any more
    },
  };
}

const GONE = 'the run goes on without it';
const RETRIED = 'the run goes on, and it is tried again';

/** The first of a target's troubles says it: the next ones mostly follow from it. */
function tellOnce(name: string, logger: Logger): (message: string) => void {
  let isTold = false;
  return (message) => {
    if (!isTold) logger.log('warn', `tracking: ${name}: ${message}`);
    isTold = true;
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function fired(signal: AbortSignal): Promise<true> {
  if (signal.aborted) return Promise.resolve(true);
  return new Promise((resolve) =>
    signal.addEventListener('abort', () => resolve(true), { once: true }),
  );
}
