import type { CapturedBytes, ExecRequest } from '../types.ts';

type Output = NonNullable<ExecRequest['output']>;

const defaultMaxBytes = 1024 * 1024;

/** A stream's bytes cut to the caller's cap, with exact counts. */
export function capture(all: Uint8Array, output: Output = {}): CapturedBytes {
  const maxBytes = output.maxBytes ?? defaultMaxBytes;
  if (all.length <= maxBytes) return captured(all, all.length, 0);
  const head = headBytes(maxBytes, output.keep ?? 'head_tail');
  const tail = maxBytes - head;
  const kept = Buffer.concat([all.subarray(0, head), all.subarray(all.length - tail)]);
  return captured(new Uint8Array(kept), all.length, head);
}

/** Whether a caller asked for the end at the cap, and the stream went beyond it. */
export function isOverLimit(all: Uint8Array, output: Output = {}): boolean {
  return (output.killAtLimit ?? false) && all.length > (output.maxBytes ?? defaultMaxBytes);
}

function headBytes(maxBytes: number, keep: NonNullable<Output['keep']>): number {
  if (keep === 'head') return maxBytes;
  return keep === 'tail' ? 0 : Math.ceil(maxBytes / 2);
}

function captured(bytes: Uint8Array, totalBytes: number, head: number): CapturedBytes {
  const droppedBytes = totalBytes - bytes.length;
  return { bytes, totalBytes, droppedBytes, text: () => textOf(bytes, droppedBytes, head) };
}

function textOf(bytes: Uint8Array, droppedBytes: number, head: number): string {
  const decoder = new TextDecoder();
  if (droppedBytes === 0) return decoder.decode(bytes);
  const marker = `\n[${droppedBytes} bytes dropped]\n`;
  return decoder.decode(bytes.subarray(0, head)) + marker + decoder.decode(bytes.subarray(head));
}
