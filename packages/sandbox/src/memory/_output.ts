import { capturedBytes } from '../core/captured-bytes.ts';
import type { CapturedBytes, ExecRequest } from '../types.ts';

type Output = NonNullable<ExecRequest['output']>;

const defaultMaxBytes = 1024 * 1024;

/** A stream's bytes cut to the caller's cap, with exact counts. */
export function capture(text: string, output: Output = {}): CapturedBytes {
  const all = Buffer.from(text);
  const maxBytes = output.maxBytes ?? defaultMaxBytes;
  if (all.length <= maxBytes) return capturedBytes(all);
  const head = headBytes(maxBytes, output.keep ?? 'head_tail');
  const tail = all.subarray(all.length - (maxBytes - head));
  const kept = Buffer.concat([all.subarray(0, head), tail]);
  return capturedBytes(kept, head, all.length - kept.length);
}

/** Whether a caller asked for the end at the cap, and the stream went beyond it. */
export function isOverLimit(captured: CapturedBytes, output: Output = {}): boolean {
  return (output.killAtLimit ?? false) && captured.droppedBytes > 0;
}

function headBytes(maxBytes: number, keep: NonNullable<Output['keep']>): number {
  if (keep === 'head') return maxBytes;
  return keep === 'tail' ? 0 : Math.ceil(maxBytes / 2);
}
