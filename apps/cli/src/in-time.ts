import type { CliContext } from './context.ts';

/** How long a part may take to close, and how long where somebody waits for the end. */
const CLOSE_MS = 30_000;
const INTERRUPTED_CLOSE_MS = 5_000;

/**
 * Waits for work that may not look at the signal: when it fires, this rejects with its reason at once. discard: gets what comes of the work
 * after that.
 */
export async function unlessAborted<T>(
  signal: AbortSignal,
  work: Promise<T>,
  discard: (late: T) => unknown = () => undefined,
): Promise<T> {
  const waiting = new AbortController();
  try {
    return await Promise.race([work, rejection(signal, waiting.signal)]);
  } catch (error) {
    if (signal.aborted) void work.then(discard).catch(() => undefined); // its end is nobody's any more
    throw error;
  } finally {
    waiting.abort();
  }
}

function rejection(signal: AbortSignal, until: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true, signal: until });
  });
}

/** Closes a part of a command. What fails or does not come to its end is told and left behind: what the command has done stays done. */
export async function closeInTime(
  what: string,
  close: () => Promise<void> | undefined,
  { stderr, signal }: Pick<CliContext, 'stderr' | 'signal'>,
  limitMs: number = signal.aborted ? INTERRUPTED_CLOSE_MS : CLOSE_MS,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const error = new Error(`no end within ${limitMs / 1000} s`);
    timer = setTimeout(() => reject(error), limitMs);
  });
  try {
    await Promise.race([Promise.resolve().then(close), late]);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    stderr.write(`warning: closing ${what} failed: ${reason}\n`);
  } finally {
    clearTimeout(timer);
  }
}
