import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from './engine.ts';

const PAUSE_MS = 2000;
const RETRY_MS = 250;
const LONGEST_ANSWER_MS = 4000;
const OUTAGE_MS = 8000;

/**
 * Resolves when the daemon has not answered for eight seconds, or with `signal`. A daemon that is gone refuses; behind a cut cable
 * nothing is told at all, so it is asked again and again.
 */
export async function daemonSilence(engine: Engine, signal: AbortSignal): Promise<void> {
  let answeredAtMs = performance.now();
  let missed = 0;
  while (!signal.aborted) {
    missed = (await answers(engine, signal)) ? 0 : missed + 1;
    if (missed === 0) answeredAtMs = performance.now();
    // Never after one miss alone: this process itself may have been held up.
    else if (missed > 1 && performance.now() - answeredAtMs > OUTAGE_MS) return;
    await sleep(missed === 0 ? PAUSE_MS : RETRY_MS, undefined, { ref: false });
  }
}

async function answers({ docker }: Engine, signal: AbortSignal): Promise<boolean> {
  const late = AbortSignal.timeout(LONGEST_ANSWER_MS);
  try {
    await (docker.ping as (options: object) => Promise<unknown>).call(docker, {
      abortSignal: AbortSignal.any([signal, late]),
    });
    return true;
  } catch {
    return false; // whatever it was, there is no answer
  }
}
