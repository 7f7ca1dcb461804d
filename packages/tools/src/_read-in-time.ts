import type { ToolCallContext } from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';
import { SandboxError } from '@hermes/sandbox';
import { type LineWindow, readLineWindow } from './_line-window.ts';
import type { Region } from './_read-history.ts';
import { untilAborted } from './_until-aborted.ts';
import { withDeadline } from './_with-deadline.ts';

export const READ_TIMEOUT_MS = 60_000;

/** null: the file did not end in time; some of the kernel's never do. */
export async function readInTime(
  stream: AsyncIterable<Uint8Array>,
  { offset, limit }: Region,
  context: ToolCallContext,
): Promise<LineWindow | null> {
  return await inTime(context, (signal) => readLineWindow(stream, offset, limit, signal));
}

/** The whole of a stream; `too_large` beyond `maxBytes`; null: it did not end in time. */
export async function readBytesInTime(
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
  context: ToolCallContext,
): Promise<Uint8Array | 'too_large' | null> {
  return await inTime(context, async (signal) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of untilAborted(stream, signal)) {
      size += chunk.length;
      if (size > maxBytes) return 'too_large';
      chunks.push(chunk.slice());
    }
    return Buffer.concat(chunks);
  });
}

async function inTime<T>(
  context: ToolCallContext,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | null> {
  try {
    return await withDeadline(context, READ_TIMEOUT_MS, work);
  } catch (error) {
    if (HermesError.isInstance(error)) throw error;
    const message = 'Reading the file was cancelled';
    throw new SandboxError('CANCELLED', 'request', message, { cause: error });
  }
}
