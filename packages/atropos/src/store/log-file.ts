import { constants } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The file that the log is in, below its folder. */
export const logName = 'trajectories.log';

/** A file that is only written at its end. */
export interface LogFile {
  readonly bytes: number;
  /** On the disk when it resolves. When it fails nothing of it is in the file. */
  append(pieces: readonly Buffer[]): Promise<void>;
  /** Puts these pieces in the place of all that was there; the file holds the old or the new text, whatever happens. */
  replace(pieces: readonly Buffer[]): Promise<void>;
  close(): Promise<void>;
}

/** Opens the log of a folder and cuts off what follows its last whole entry. */
export async function openLogFile(directory: string, goodBytes: number): Promise<LogFile> {
  const path = join(directory, logName);
  let handle = await open(path, constants.O_RDWR | constants.O_CREAT, 0o644);
  let bytes = goodBytes;
  await handle.truncate(bytes);
  await syncFolder(directory);
  return {
    get bytes() {
      return bytes;
    },
    async append(pieces) {
      try {
        const written = await writeAll(handle, pieces, bytes);
        await handle.datasync();
        bytes += written;
      } catch (error) {
        // the next start cuts it off where this cannot
        await handle.truncate(bytes).catch(() => undefined);
        throw error;
      }
    },
    async replace(pieces) {
      const next = await open(`${path}.new`, 'w+', 0o644);
      try {
        const written = await writeAll(next, pieces, 0);
        await next.sync();
        await rename(`${path}.new`, path);
        await syncFolder(directory);
        const before = handle;
        handle = next;
        bytes = written;
        await before.close();
      } catch (error) {
        if (handle !== next) await next.close();
        throw error;
      }
    },
    close: () => handle.close(),
  };
}

/** Several pieces go out in one call; a system takes at most 1,024 of them. */
const MOST_PIECES = 512;

async function writeAll(
  handle: FileHandle,
  pieces: readonly Buffer[],
  position: number,
): Promise<number> {
  let written = 0;
  for (let index = 0; index < pieces.length; index += MOST_PIECES) {
    const some = pieces.slice(index, index + MOST_PIECES);
    const wanted = some.reduce((sum, piece) => sum + piece.length, 0);
    const { bytesWritten } = await handle.writev(some, position + written);
    if (bytesWritten < wanted)
      await writeRest(handle, Buffer.concat(some), bytesWritten, position + written);
    written += wanted;
  }
  return written;
}

async function writeRest(
  handle: FileHandle,
  bytes: Buffer,
  from: number,
  position: number,
): Promise<void> {
  for (let at = from; at < bytes.length; ) {
    at += (await handle.write(bytes, at, bytes.length - at, position + at)).bytesWritten;
  }
}

async function syncFolder(directory: string): Promise<void> {
  const handle = await open(dirname(join(directory, logName)), 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
