import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A file that only grows, by whole records: of a write that failed halfway nothing stays. */
export type GrowingFile = Readonly<{
  append: (bytes: Uint8Array) => Promise<void>;
  close: () => Promise<void>;
}>;

type Opened = Readonly<{ handle: FileHandle; length: number }>;

/** Opened, with its folders, by the first `append`. wholeLength: how much of what an earlier process left is whole; default all. */
export function growingFile(
  path: string,
  wholeLength: (file: FileHandle, size: number) => Promise<number> = async (_file, size) => size,
): GrowingFile {
  let opened: Opened | null = null;
  const openWhole = async (): Promise<Opened> => {
    await mkdir(dirname(path), { recursive: true });
    const handle = await open(path, 'a+');
    const { size } = await handle.stat();
    const length = await wholeLength(handle, size);
    if (length < size) await handle.truncate(length);
    return { handle, length };
  };
  return {
    append: async (bytes) => {
      opened ??= await openWhole();
      const { handle, length } = opened;
      try {
        await handle.appendFile(bytes);
        opened = { handle, length: length + bytes.length };
      } catch (error) {
        await handle.truncate(length).catch(() => undefined); // what failed says more than this
        throw error;
      }
    },
    close: async () => {
      await opened?.handle.close();
      opened = null;
    },
  };
}
