import type { ChunkBuffer } from './chunk-buffer.ts';
import { createFrameDecoder, type FrameHeader } from './frame-decoder.ts';
import { type FrameCodec, MAX_FRAME_BYTES } from './frames.ts';

const LONGEST_HEADER = 64;
const NEWLINE = 0x0a;
const HEADER = /^([0-9a-f]{2}) (\d{1,10}) (\d{1,8})$/;

/** The script's form: `TYPE ID LENGTH\n` (type in hex, the others decimal) and then the payload. */
export const textCodec: FrameCodec = {
  encode,
  encodeHeader,
  createDecoder: (onFrame) => createFrameDecoder(takeHeader, onFrame),
  offsetBytes: 20,
  readOffset: (payload) => Number(payload.toString('latin1', 0, 20)),
};

function encode(type: number, id: number, payload: Uint8Array): Buffer {
  return Buffer.concat([encodeHeader(type, id, payload.length), payload]);
}

function encodeHeader(type: number, id: number, length: number): Buffer {
  return Buffer.from(`${type.toString(16).padStart(2, '0')} ${id} ${length}\n`, 'latin1');
}

function takeHeader(input: ChunkBuffer): FrameHeader | null {
  if (input.length === 0) return null;
  const start = input.peek(Math.min(input.length, LONGEST_HEADER));
  const end = start.indexOf(NEWLINE);
  if (end >= 0) return parseHeader(start.toString('latin1', 0, end), () => input.skip(end + 1));
  if (start.length === LONGEST_HEADER)
    throw new Error('a frame header does not end within 64 bytes');
  return null;
}

function parseHeader(line: string, skip: () => void): FrameHeader {
  const [, type, id, length] = HEADER.exec(line) ?? [];
  if (type === undefined || id === undefined || length === undefined)
    throw new Error(`not a frame header: ${JSON.stringify(line)}`);
  if (Number(length) > MAX_FRAME_BYTES)
    throw new Error(`a frame of ${length} bytes is above ${MAX_FRAME_BYTES}`);
  skip();
  return { type: Number.parseInt(type, 16), id: Number(id), length: Number(length) };
}
