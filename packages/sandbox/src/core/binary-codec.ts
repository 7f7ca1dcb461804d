import type { ChunkBuffer } from './chunk-buffer.ts';
import { createFrameDecoder, type FrameHeader } from './frame-decoder.ts';
import { type FrameCodec, MAX_FRAME_BYTES } from './frames.ts';

const HEADER_BYTES = 9;
const LENGTH_BYTES = 4;

/** `u32 length · u8 type · u32 id · payload`, big-endian; the length counts what follows it. */
export const binaryCodec: FrameCodec = {
  encode,
  encodeHeader,
  createDecoder: (onFrame) => createFrameDecoder(takeHeader, onFrame),
  offsetBytes: 8,
  readOffset: (payload) => payload.readUInt32BE(0) * 0x1_0000_0000 + payload.readUInt32BE(4),
};

function encode(type: number, id: number, payload: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(HEADER_BYTES + payload.length);
  writeHeader(frame, type, id, payload.length);
  frame.set(payload, HEADER_BYTES);
  return frame;
}

function encodeHeader(type: number, id: number, length: number): Buffer {
  const header = Buffer.allocUnsafe(HEADER_BYTES);
  writeHeader(header, type, id, length);
  return header;
}

function writeHeader(frame: Buffer, type: number, id: number, length: number): void {
  frame.writeUInt32BE(HEADER_BYTES - LENGTH_BYTES + length, 0);
  frame[4] = type;
  frame.writeUInt32BE(id, 5);
}

function takeHeader(input: ChunkBuffer): FrameHeader | null {
  if (input.length < HEADER_BYTES) return null;
  const header = input.take(HEADER_BYTES);
  const length = header.readUInt32BE(0);
  if (length < HEADER_BYTES - LENGTH_BYTES || length > MAX_FRAME_BYTES)
    throw new Error(`a frame of ${length} bytes is outside 5 to ${MAX_FRAME_BYTES}`);
  const payload = length - (HEADER_BYTES - LENGTH_BYTES);
  return { type: header.readUInt8(4), id: header.readUInt32BE(5), length: payload };
}
