import type { ToolCallContext } from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';
import { SandboxError } from '@hermes/sandbox';
import { type LineWindow, readLineWindow } from './_line-window.ts';
import type { Region } from './_read-history.ts';

export const READ_TIMEOUT_MS = 60_000;

/** null: the file did not end in time; some of the kernel's never do. */
export async function readInTime(
  stream: AsyncIterable<Uint8Array>,
  { offset, limit }: Region,
  { effects, signal }: ToolCallContext,
): Promise<LineWindow | null> {
  const timer = new AbortController();
  const late = new AbortController();
  const slept = effects.clock.sleep(READ_TIMEOUT_MS, timer.signal);
  slept.then(() => late.abort()).catch(() => undefined); // read in time
  try {
    return await readLineWindow(stream, offset, limit, AbortSignal.any([signal, late.signal]));
  } catch (error) {
    return late.signal.aborted ? null : asSandboxError(error);
  } finally {
    timer.abort();
  }
}

function asSandboxError(cause: unknown): never {
  if (HermesError.isInstance(cause)) throw cause;
  throw new SandboxError('CANCELLED', 'request', 'Reading the file was cancelled', { cause });
}
