import { randomBytes } from 'node:crypto';
import type { Clock, IdMaker, Logger } from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';

/** The effects that the exec core uses. */
export type CoreEffects = Readonly<{ clock: Clock; newId: IdMaker; logger: Logger }>;

const ID_BYTES = 12;
const LONGEST_TIMER_MS = 2_147_483_647;

/** The machine's own clock, random ids and a logger that drops everything, each unless it is given. */
export function systemEffects(given: Partial<CoreEffects> = {}): CoreEffects {
  return {
    clock: given.clock ?? { now, sleep },
    newId: given.newId ?? randomIds(),
    logger: given.logger ?? { log: () => undefined },
  };
}

/** Asks the kernel for the bytes of many ids at once. */
function randomIds(): IdMaker {
  let bytes = Buffer.alloc(0);
  return (prefix) => {
    if (bytes.length === 0) bytes = randomBytes(128 * ID_BYTES);
    const id = bytes.toString('hex', 0, ID_BYTES);
    bytes = bytes.subarray(ID_BYTES);
    return `${prefix}_${id}`;
  };
}

function now(): { wallMs: number; monoMs: number } {
  return { wallMs: Date.now(), monoMs: performance.now() };
}

/** Timers here never keep the process alive by themselves. */
async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  let left = Math.max(0, ms);
  do {
    const part = Math.min(left, LONGEST_TIMER_MS);
    await timer(part, signal);
    left -= part;
  } while (left > 0);
}

function timer(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(cancelled(signal));
    const handle = setTimeout(done, ms).unref();
    signal?.addEventListener('abort', abort, { once: true });
    function abort(): void {
      clearTimeout(handle);
      reject(cancelled(signal));
    }
    function done(): void {
      signal?.removeEventListener('abort', abort);
      resolve();
    }
  });
}

/** Without a stack: every deadline that is not reached ends as one of these, and the stack would cost more than the wait. */
function cancelled(signal: AbortSignal | undefined): HermesError {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    const cause = signal?.reason;
    return new HermesError('sandbox', 'CANCELLED', 'A wait was cancelled', { cause });
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
