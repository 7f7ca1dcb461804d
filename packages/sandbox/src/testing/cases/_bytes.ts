import { createHash } from 'node:crypto';

const blockSize = 64 * 1024;

/** So many bytes, each block different, made as they are read. */
export async function* generateBytes(size: number): AsyncGenerator<Uint8Array> {
  for (let offset = 0; offset < size; offset += blockSize) {
    const block = new Uint8Array(Math.min(blockSize, size - offset));
    block.fill((offset / blockSize) % 251);
    new DataView(block.buffer).setUint8(0, (offset / blockSize / 251) % 256);
    yield block;
  }
}

/** sha256 in hex and length of a stream, without holding it. */
export async function digest(
  bytes: AsyncIterable<Uint8Array>,
): Promise<Readonly<{ sha256: string; size: number }>> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of bytes) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { sha256: hash.digest('hex'), size };
}
