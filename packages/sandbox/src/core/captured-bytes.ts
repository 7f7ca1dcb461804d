import type { CapturedBytes } from '../types.ts';

/** The line that stands in the text where bytes were dropped. */
function gapMarker(droppedBytes: number): string {
  return `[... ${droppedBytes} bytes of output dropped ...]`;
}

/**
 * Output as it was kept: `headBytes` of `bytes`, then `droppedBytes` that are gone, then the rest. `text()` decodes
 * it as UTF-8 (one U+FFFD for what is none), with a marker line in the gap.
 */
export function capturedBytes(
  bytes: Buffer,
  headBytes: number = bytes.length,
  droppedBytes: number = 0,
): CapturedBytes {
  let text: string | null = null;
  return {
    bytes,
    totalBytes: bytes.length + droppedBytes,
    droppedBytes,
    text: () => {
      text ??= droppedBytes === 0 ? decode(bytes) : withMarker(bytes, headBytes, droppedBytes);
      return text;
    },
  };
}

/** What a command that never ran has written. */
export const NO_OUTPUT: CapturedBytes = capturedBytes(Buffer.alloc(0));

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** A character that the gap cut in two is no broken character of the command's: its pieces go to the gap. */
function withMarker(bytes: Buffer, headBytes: number, droppedBytes: number): string {
  const head = bytes.subarray(0, headBytes);
  const tail = bytes.subarray(headBytes);
  const before = decode(head.subarray(0, wholeCharacters(head)));
  const after = decode(tail.subarray(continuationBytes(tail)));
  const opening = before === '' || before.endsWith('\n') ? '' : '\n';
  return `${before}${opening}${gapMarker(droppedBytes)}\n${after}`;
}

/** The length of `bytes` without a last character that is not complete. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    return characterLength(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function characterLength(first: number): number {
  if (first >= 0xf0) return 4;
  if (first >= 0xe0) return 3;
  return first >= 0xc0 ? 2 : 1;
}

function continuationBytes(bytes: Buffer): number {
  let count = 0;
  while (count < 3 && ((bytes[count] ?? 0) & 0xc0) === 0x80) count += 1;
  return count;
}
