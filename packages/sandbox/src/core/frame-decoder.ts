import { ChunkBuffer } from './chunk-buffer.ts';
import { isData, type OnFrame } from './frames.ts';

/** What a frame's header says. `length` counts the payload alone. */
export type FrameHeader = Readonly<{ type: number; id: number; length: number }>;

/** Takes a header off the input, or null when it has not all come. */
export type TakeHeader = (input: ChunkBuffer) => FrameHeader | null;

/** The first piece of a data frame holds the whole offset that stands in front of the data. */
const LEAST_FIRST_PIECE = 32;
const NOTHING = Buffer.alloc(0);

/** Cuts a byte stream into frames. Throws when the bytes break the format. */
export function createFrameDecoder(
  takeHeader: TakeHeader,
  onFrame: OnFrame,
): (chunk: Uint8Array) => void {
  const input = new ChunkBuffer();
  let header: FrameHeader | null = null;
  let before = 0;
  return (chunk) => {
    input.push(chunk);
    for (;;) {
      header ??= takeHeader(input);
      if (header === null) return;
      const count = nextPiece(input, header, before);
      if (count === null) return;
      const { type, id, length } = header;
      const payload = count === 0 ? NOTHING : input.take(count);
      const start = before;
      before += count;
      if (before === length) {
        header = null;
        before = 0;
      }
      onFrame(type, id, payload, start);
    }
  };
}

/** How many bytes to pass on now; null: wait for more. */
function nextPiece(input: ChunkBuffer, header: FrameHeader, before: number): number | null {
  const left = header.length - before;
  if (!isData(header.type)) return input.length >= left ? left : null;
  const least = Math.min(left, before === 0 ? LEAST_FIRST_PIECE : 1);
  if (input.length < least) return null;
  return Math.max(least, Math.min(left, input.pieceLength));
}
