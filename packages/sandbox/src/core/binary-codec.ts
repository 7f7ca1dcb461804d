import { ChunkBuffer } from './chunk-buffer.ts';
import { type FrameCodec, MAX_FRAME_BYTES, type OnFrame } from './frames.ts';

const HEADER_BYTES = 9;
const LENGTH_BYTES = 4;

/** `u32 length · u8 type · u32 id · payload`, big-endian; the length counts what follows it. */
export const binaryCodec: FrameCodec = {
  encode,
  createDecoder,
  offsetBytes: 8,
  readOffset: (payload) => payload.readUInt32BE(0) * 0x1_0000_0000 + payload.readUInt32BE(4),
};

function encode(type: number, id: number, payload: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(HEADER_BYTES + payload.length);
  frame.writeUInt32BE(HEADER_BYTES - LENGTH_BYTES + payload.length, 0);
  frame[4] = type;
  frame.writeUInt32BE(id, 5);
  frame.set(payload, HEADER_BYTES);
  return frame;
}

function createDecoder(onFrame: OnFrame): (chunk: Uint8Array) => void {
  const input = new ChunkBuffer();
  return (chunk) => {
    input.push(chunk);
    while (input.length >= HEADER_BYTES) {
      const length = readLength(input.peek(HEADER_BYTES));
      if (input.length < LENGTH_BYTES + length) return;
      deliver(input.take(LENGTH_BYTES + length), onFrame);
    }
  };
}

function readLength(header: Buffer): number {
  const length = header.readUInt32BE(0);
  if (length < HEADER_BYTES - LENGTH_BYTES || length > MAX_FRAME_BYTES)
    throw new Error(`a frame of ${length} bytes is outside 5 to ${MAX_FRAME_BYTES}`);
  return length;
}

function deliver(frame: Buffer, onFrame: OnFrame): void {
  onFrame(frame.readUInt8(4), frame.readUInt32BE(5), frame.subarray(HEADER_BYTES));
}
