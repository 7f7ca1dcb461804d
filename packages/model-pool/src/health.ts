import type { Clock, Logger } from '@hermes/protocol';
import { linkToLasting } from './_lasting-signal.ts';
import type { PoolMember } from './types.ts';

/** Whether an endpoint is well: asked by its probe, and seen from how its calls end. */
export interface Health {
  isHealthy(): boolean;
  /** False until the first probe has an answer. */
  isKnown(): boolean;
  /** Begins to probe; resolves when the signal has ended it. */
  watch(): Promise<void>;
  succeeded(): void;
  /** A call failed by the endpoint's fault. */
  failed(reason: string): void;
}

/** What health needs beside its endpoint. `changed`: told after every change, and when it gets known. */
export type HealthOptions = Readonly<{
  clock: Clock;
  logger: Logger;
  everyMs: number;
  coolDownMs: number;
  signal: AbortSignal;
  changed: (isHealthy: boolean) => void;
}>;

/** Failed calls in a row, and unanswered probes in a row, that make an endpoint unhealthy. */
const FAILURES = 3;
const MISSES = 2;

const PROBE_DEADLINE_MS = 5_000;

/** An endpoint with a probe counts as healthy from its first good answer on, any other from the start. */
export function createHealth(member: PoolMember<unknown>, options: HealthOptions): Health {
  const { probe } = member;
  let isHealthy = probe === null;
  let isKnown = probe === null;
  let failures = 0;
  let misses = 0;

  const change = (next: boolean, why: string): void => {
    if (isHealthy === next) return;
    isHealthy = next;
    options.logger.log(next ? 'info' : 'warn', `model endpoint ${member.id}: ${why}`);
    options.changed(next);
  };
  const comeBack = (why: string): void => {
    // after an outage that its calls showed, one more failure sends it away again
    failures = Math.min(failures, FAILURES - 1);
    change(true, why);
  };
  const goDown = (why: string): void => {
    if (!isHealthy) return;
    change(false, why);
    // the sleep rejects when the pool is closed: then nobody waits for the endpoint
    const retry = (): void => comeBack('is tried again');
    if (!probe) options.clock.sleep(options.coolDownMs, options.signal).then(retry, () => {});
  };
  const note = (isWell: boolean): void => {
    const isFirst = !isKnown;
    isKnown = true;
    if (isFirst && !isWell) options.changed(false);
    misses = isWell ? 0 : misses + 1;
    if (isWell) comeBack('is healthy');
    else if (misses >= MISSES) goDown('does not answer its health check');
  };
  return {
    isHealthy: () => isHealthy,
    isKnown: () => isKnown,
    watch: async () => {
      if (probe) await probeUntilAborted(probe, options, note);
    },
    succeeded: () => {
      failures = 0;
      misses = 0;
      change(true, 'answers again');
    },
    failed: (reason) => {
      failures += 1;
      if (failures >= FAILURES) goDown(`${failures} calls failed in a row (${reason})`);
    },
  };
}

type Probe = NonNullable<PoolMember<unknown>['probe']>;

async function probeUntilAborted(
  probe: Probe,
  options: HealthOptions,
  note: (isWell: boolean) => void,
): Promise<void> {
  while (!options.signal.aborted) {
    const isWell = await askProbe(probe, options);
    if (options.signal.aborted) return;
    note(isWell);
    await options.clock.sleep(options.everyMs, options.signal).catch(() => undefined);
  }
}

/** Also an endpoint whose probe ignores its signal has answered no after the deadline. */
async function askProbe(probe: Probe, options: HealthOptions): Promise<boolean> {
  const done = new AbortController();
  const { signal, unlink } = linkToLasting(options.signal, done.signal);
  const no = (): boolean => false;
  const deadline = options.clock.sleep(PROBE_DEADLINE_MS, signal).then(no, no);
  const answer = Promise.resolve(signal).then(probe).catch(no);
  try {
    return await Promise.race([answer, deadline]);
  } finally {
    done.abort();
    unlink();
  }
}
