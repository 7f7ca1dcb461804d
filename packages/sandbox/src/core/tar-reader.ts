import { type ByteReader, createByteReader } from './byte-reader.ts';
import { checksum, TAR_BLOCK, type TarEntry, tarPadding } from './tar-header.ts';

/** One entry with its body, which is to be read, or left, before the next entry is asked for. */
export type TarItem = Readonly<{ entry: TarEntry; body: AsyncIterable<Uint8Array> }>;

const LONGEST_EXTRA_BYTES = 1_048_576;
const TYPES: Readonly<Record<string, TarEntry['type']>> = {
  '0': 'file',
  '\0': 'file',
  '7': 'file',
  '1': 'hardlink',
  '2': 'link',
  '5': 'directory',
};

/** The entries of a ustar, pax or GNU archive. Throws when it is broken off or no archive. */
export async function* readTar(archive: AsyncIterable<Uint8Array>): AsyncGenerator<TarItem> {
  const reader = createByteReader(archive);
  let extra: Record<string, string> = {};
  for (;;) {
    const block = await reader.take(TAR_BLOCK);
    if (block.every((byte) => byte === 0)) return reader.drain();
    const flag = readHeaderFlag(block);
    const size = readNumber(block, 124, 12);
    if (flag === 'x' || flag === 'L' || flag === 'K') {
      extra = { ...extra, ...(await readExtra(reader, flag, size)) };
    } else if (flag === 'g') await reader.skip(size + tarPadding(size));
    else {
      const entry = readEntry(block, flag, extra);
      extra = {};
      yield* readItem(reader, entry);
    }
  }
}

async function* readItem(reader: ByteReader, entry: TarEntry): AsyncGenerator<TarItem> {
  const stored = entry.type === 'file' || entry.type === 'other' ? entry.size : 0;
  const left = { bytes: stored };
  yield { entry, body: readBody(reader, left) };
  await reader.skip(left.bytes + tarPadding(stored));
}

async function* readBody(reader: ByteReader, left: { bytes: number }): AsyncGenerator<Uint8Array> {
  while (left.bytes > 0) {
    const piece = await reader.some(left.bytes);
    left.bytes -= piece.length;
    yield piece;
  }
}

function readHeaderFlag(block: Buffer): string {
  if (readNumber(block, 148, 8) !== checksum(block))
    throw new Error('a header of the archive is broken');
  return block.toString('latin1', 156, 157);
}

async function readExtra(
  reader: ByteReader,
  flag: string,
  size: number,
): Promise<Record<string, string>> {
  if (size > LONGEST_EXTRA_BYTES) throw new Error(`an extra header of ${size} bytes is too long`);
  const body = await reader.take(size);
  await reader.skip(tarPadding(size));
  if (flag === 'x') return readPax(body);
  return { [flag === 'L' ? 'path' : 'linkpath']: untilNul(body) };
}

function readPax(body: Buffer): Record<string, string> {
  const records: Record<string, string> = {};
  for (let at = 0; at < body.length; ) {
    const length = Number.parseInt(body.toString('latin1', at, at + 20), 10);
    if (!(length > 0)) throw new Error('a pax header of the archive is broken');
    const line = body.toString('utf8', at, at + length - 1);
    const [, key, value] = /^\d+ ([^=]+)=([\s\S]*)$/.exec(line) ?? [];
    if (key !== undefined && value !== undefined) records[key] = value;
    at += length;
  }
  return records;
}

function readEntry(block: Buffer, flag: string, extra: Record<string, string>): TarEntry {
  const isUstar = block.toString('latin1', 257, 263) === 'ustar\0';
  const prefix = isUstar ? untilNul(block.subarray(345, 500)) : '';
  const name = untilNul(block.subarray(0, 100));
  const type = TYPES[flag] ?? 'other';
  const path = extra.path ?? (prefix === '' ? name : `${prefix}/${name}`);
  return {
    name: path,
    type: type === 'file' && path.endsWith('/') ? 'directory' : type,
    mode: readNumber(block, 100, 8) & 0o7777,
    size: extra.size === undefined ? readNumber(block, 124, 12) : Number(extra.size),
    mtimeMs: readNumber(block, 136, 12) * 1000,
    linkTarget: extra.linkpath ?? untilNul(block.subarray(157, 257)),
  };
}

/** Octal digits, or GNU's binary form for what they cannot hold. */
function readNumber(block: Buffer, at: number, width: number): number {
  const first = block[at] ?? 0;
  if (first === 0x80) return Number(block.readBigUInt64BE(at + width - 8));
  const digits = block
    .toString('latin1', at, at + width)
    .replaceAll('\0', ' ')
    .trim();
  return Number.parseInt(digits, 8) || 0;
}

function untilNul(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.toString('utf8', 0, end < 0 ? bytes.length : end);
}
