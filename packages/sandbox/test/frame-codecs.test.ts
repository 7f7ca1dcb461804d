import { describe, expect, it } from 'vitest';
import { binaryCodec } from '../src/core/binary-codec.ts';
import { FRAME, type FrameCodec, MAX_FRAME_BYTES } from '../src/core/frames.ts';
import { textCodec } from '../src/core/text-codec.ts';

type Seen = { type: number; id: number; payload: string; before: number };

function collector(codec: FrameCodec): { seen: Seen[]; decode: (chunk: Uint8Array) => void } {
  const seen: Seen[] = [];
  const decode = codec.createDecoder((type, id, payload, before) =>
    seen.push({ type, id, payload: payload.toString('latin1'), before }),
  );
  return { seen, decode };
}

/** Data frames may come in pieces; what counts is what they make together. */
function joined(seen: readonly Seen[]): Seen[] {
  const whole: Seen[] = [];
  for (const frame of seen) {
    const last = whole[whole.length - 1];
    if (frame.before > 0 && last !== undefined) last.payload += frame.payload;
    else whole.push({ ...frame });
  }
  return whole;
}

describe.each([
  ['binary', binaryCodec],
  ['text', textCodec],
] as const)('the %s form of frames', (_name, codec) => {
  const frames: Seen[] = [
    { type: FRAME.hello, id: 0, payload: '{"versions":[1]}', before: 0 },
    { type: FRAME.ack, id: 7, payload: '', before: 0 },
    { type: FRAME.stdout, id: 4_294_967_295, payload: 'x'.repeat(5000), before: 0 },
    { type: FRAME.fileData, id: 3, payload: '\n\0\xff', before: 0 },
    { type: FRAME.fileData, id: 4, payload: '', before: 0 },
    { type: FRAME.exit, id: 3, payload: '{}', before: 0 },
  ];
  const wire = Buffer.concat(
    frames.map(({ type, id, payload }) => codec.encode(type, id, Buffer.from(payload, 'latin1'))),
  );

  it('reads what it wrote, when all comes at once', () => {
    const { seen, decode } = collector(codec);
    decode(wire);
    expect(joined(seen)).toEqual(frames);
  });

  it.each([1, 2, 3, 7, 41, 1000])('reads what it wrote, in chunks of %i bytes', (size) => {
    const { seen, decode } = collector(codec);
    for (let at = 0; at < wire.length; at += size) decode(wire.subarray(at, at + size));
    expect(joined(seen)).toEqual(frames);
  });

  it('passes a control frame on only when it is whole', () => {
    const { seen, decode } = collector(codec);
    const frame = codec.encode(FRAME.exit, 1, Buffer.from('{"status":"exited"}'));
    decode(frame.subarray(0, -1));
    expect(seen).toEqual([]);
    decode(frame.subarray(-1));
    expect(seen).toHaveLength(1);
  });

  it('does not keep the memory of the payload it was given', () => {
    const payload = Buffer.from('before');
    const frame = codec.encode(FRAME.stdin, 1, payload);
    payload.fill('x');
    expect(frame.includes('before')).toBe(true);
  });
});

it('reads offsets above 32 bits in both forms', () => {
  const offset = 5_000_000_123;
  const binary = Buffer.alloc(8);
  binary.writeBigUInt64BE(BigInt(offset));
  expect(binaryCodec.readOffset(binary)).toBe(offset);
  const text = Buffer.from(String(offset).padStart(20, '0'));
  expect(textCodec.readOffset(text)).toBe(offset);
});

it.each([
  ['a length above the limit', binaryCodec, Buffer.from([0xff, 0xff, 0xff, 0xff, 1, 0, 0, 0, 0])],
  ['a length that holds no header', binaryCodec, Buffer.from([0, 0, 0, 1, 1, 0, 0, 0, 0])],
  ['a line that is no header', textCodec, Buffer.from('bash: not found\n')],
  ['a header without an end', textCodec, Buffer.from('0'.repeat(80))],
  ['a text length above the limit', textCodec, Buffer.from(`10 1 ${MAX_FRAME_BYTES + 1}\n`)],
])('refuses %s', (_what, codec, bytes) => {
  const { decode } = collector(codec);
  expect(() => decode(bytes)).toThrow(/frame/);
});
