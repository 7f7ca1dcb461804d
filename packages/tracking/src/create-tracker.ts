import type { Effects } from '@hermes/protocol';
import { withDefaultEffects } from './_effects.ts';
import { openOutbox } from './_outbox.ts';
import type { MetricTarget, TrackedEntry, Tracker, TrackerOptions } from './types.ts';

const CLOSE_MS = 30_000;

/** One tracker over several targets. Each has a queue of its own: a slow or broken one holds up neither the run nor the others. */
export function createTracker(
  targets: readonly MetricTarget[],
  options: TrackerOptions = {},
  effects: Partial<Effects> = {},
): Tracker {
  const { clock, logger } = withDefaultEffects(effects);
  const deadline = new AbortController();
  const outboxes = targets.map((target) =>
    openOutbox(target, { ...options, clock, logger, deadline: deadline.signal }),
  );
  let closing: Promise<void> | null = null;
  let lastStep = 0;
  const put = (entry: TrackedEntry): void => {
    if (closing !== null) return;
    lastStep = Math.max(lastStep, entry.step);
    for (const outbox of outboxes) outbox.put(entry);
  };
  const closeAll = async () => {
    const inTime = new AbortController();
    const expire = () => deadline.abort(new Error('the deadline is over'));
    clock.sleep(options.closeMs ?? CLOSE_MS, inTime.signal).then(expire, () => undefined);
    await Promise.all(outboxes.map((outbox) => outbox.close()));
    inTime.abort();
  };
  return {
    write: (step, wallMs, values) => put({ kind: 'scalars', step, wallMs, values: finite(values) }),
    summary: (values) =>
      put({ kind: 'summary', step: lastStep, wallMs: clock.now().wallMs, values: finite(values) }),
    table: (name, step, columns, rows) =>
      put({ kind: 'table', step, wallMs: clock.now().wallMs, name, columns, rows }),
    close: () => {
      closing ??= closeAll();
      return closing;
    },
  };
}

/** Most targets cannot keep NaN and infinity. */
function finite(values: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => Number.isFinite(value)));
}
