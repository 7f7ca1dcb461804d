import type { LogFile } from './log-file.ts';

/** Makes changes durable, one after another. */
export interface Journal {
  readonly bytes: number;
  /** Writes the pieces; `apply` runs once they are on the disk, in the order of the calls. Rejects, with nothing applied, when they cannot be written. */
  commit<T>(pieces: readonly Buffer[], apply: () => T): Promise<T>;
  close(): Promise<void>;
}

/** For a server that keeps nothing. */
export function memoryJournal(): Journal {
  return { bytes: 0, commit: async (_pieces, apply) => apply(), close: async () => undefined };
}

type Waiting = Readonly<{
  pieces: readonly Buffer[];
  applyAndResolve: () => void;
  reject: (error: unknown) => void;
}>;

/** When the log is rewritten: `pieces` is the whole state, asked for between two writes. */
export type Rewriting = Readonly<{
  isDue: (bytes: number) => boolean;
  pieces: () => readonly Buffer[];
  onFailure: (error: unknown) => void;
}>;

/** Changes that wait together share one write and one sync. */
export function fileJournal(file: LogFile, rewriting: Rewriting): Journal {
  let waiting: Waiting[] = [];
  let draining: Promise<void> | null = null;

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await writeBatch(file, batch);
      if (rewriting.isDue(file.bytes)) await rewrite();
    }
    draining = null;
  }

  async function rewrite(): Promise<void> {
    // the old log is still whole, so a failure here costs nothing but its length
    await file.replace(rewriting.pieces()).catch(rewriting.onFailure);
  }

  return {
    get bytes() {
      return file.bytes;
    },
    commit: (pieces, apply) =>
      new Promise((resolve, reject) => {
        waiting.push({ pieces, applyAndResolve: () => resolve(apply()), reject });
        draining ??= drain();
      }),
    close: async () => {
      await draining;
      await file.close();
    },
  };
}

async function writeBatch(file: LogFile, batch: readonly Waiting[]): Promise<void> {
  try {
    await file.append(batch.flatMap(({ pieces }) => pieces));
  } catch (error) {
    for (const { reject } of batch) reject(error);
    return;
  }
  for (const { applyAndResolve } of batch) applyAndResolve();
}
