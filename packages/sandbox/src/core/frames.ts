/** Frame types of the supervisor's protocol, by name. */
export const FRAME = {
  hello: 0x01,
  welcome: 0x02,
  ping: 0x03,
  pong: 0x04,
  error: 0x05,
  credit: 0x06,
  start: 0x10,
  started: 0x11,
  stdin: 0x12,
  stdinEnd: 0x13,
  stdout: 0x14,
  stderr: 0x15,
  exit: 0x16,
  ack: 0x17,
  signal: 0x18,
  resize: 0x19,
  sessionOpen: 0x1a,
  sessionClose: 0x1b,
  sessionReady: 0x1c,
  script: 0x1d,
  filePut: 0x20,
  fileGet: 0x21,
  fileData: 0x23,
  fileEnd: 0x24,
  fileOp: 0x25,
  fileReply: 0x26,
  usage: 0x30,
  usageReply: 0x31,
  shutdown: 0x3f,
} as const;

/** The longest frame either side may send, counted as on the wire: type, id and payload. */
export const MAX_FRAME_BYTES = 1_048_576;

/** The most data that one frame carries. */
export const MAX_DATA_BYTES = 65_536;

/** The same of a frame of file data. */
export const MAX_FILE_DATA_BYTES = 262_144;

/**
 * Receives frames in order. `payload` may share memory with the chunk it came in. Control frames come whole; a data frame
 * (`isData`) may come in several pieces, and `before` says how many bytes of its payload came with earlier ones.
 */
export type OnFrame = (type: number, id: number, payload: Buffer, before: number) => void;

/** Data frames are passed on in the pieces in which they come, so that nothing is copied to make them whole. */
export function isData(type: number): boolean {
  return type === FRAME.stdout || type === FRAME.stderr || type === FRAME.fileData;
}

/** One way to put frames on a wire: the Go program's binary form or the script's text form. */
export interface FrameCodec {
  /** Copies the payload, so the caller may reuse its memory. */
  encode(type: number, id: number, payload: Uint8Array): Buffer;
  /** What stands in front of a payload of that length, for a payload that is written by itself. */
  encodeHeader(type: number, id: number, length: number): Buffer;
  /** A decoder with its own state; throws when the bytes break the format. */
  createDecoder(onFrame: OnFrame): (chunk: Uint8Array) => void;
  /** Bytes in front of the data of a stdout or stderr frame. */
  readonly offsetBytes: number;
  readOffset(payload: Buffer): number;
}

const NOTHING = new Uint8Array(0);

/** A control frame with a JSON payload, or with none. */
export function encodeControl(
  codec: FrameCodec,
  type: number,
  id: number,
  value?: unknown,
): Buffer {
  const payload = value === undefined ? NOTHING : Buffer.from(JSON.stringify(value));
  return codec.encode(type, id, payload);
}

/** A view of the same bytes with Buffer's methods. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
