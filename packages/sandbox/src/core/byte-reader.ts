import { ChunkBuffer } from './chunk-buffer.ts';

/** Reads exact amounts from a stream of chunks. Each throws when the stream ends before. */
export interface ByteReader {
  take(count: number): Promise<Buffer>;
  /** At least one byte and at most `most`, as it comes. */
  some(most: number): Promise<Buffer>;
  skip(count: number): Promise<void>;
  /** Reads the stream to its end. */
  drain(): Promise<void>;
}

export function createByteReader(chunks: AsyncIterable<Uint8Array>): ByteReader {
  const source = chunks[Symbol.asyncIterator]();
  const buffer = new ChunkBuffer();
  const need = async (count: number): Promise<void> => {
    while (buffer.length < count) {
      const next = await source.next();
      if (next.done === true) throw new Error('the archive is cut off');
      buffer.push(next.value);
    }
  };
  const some = async (most: number): Promise<Buffer> => {
    await need(1);
    return buffer.take(Math.min(most, buffer.pieceLength));
  };
  return {
    some,
    take: async (count) => {
      await need(count);
      return buffer.take(count);
    },
    skip: async (count) => {
      for (let left = count; left > 0; ) left -= (await some(left)).length;
    },
    drain: async () => {
      while ((await source.next()).done !== true);
    },
  };
}
