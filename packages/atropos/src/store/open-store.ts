import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { JsonObject, Logger } from '@hermes/protocol';
import { applyRecord } from '../queue/apply-record.ts';
import { emptyState, type QueueState } from '../queue/queue-state.ts';
import type { ChangeRecord } from '../queue/records.ts';
import { TrainerError } from '../trainer-error.ts';
import { fileJournal, type Journal, memoryJournal } from './journal.ts';
import { takeLock } from './lock.ts';
import { logName, openLogFile } from './log-file.ts';
import { encodeEntry, readEntries } from './log-records.ts';
import { makeFolder } from './make-folder.ts';
import { readLogLines } from './read-log-lines.ts';
import { fromSnapshot, takeSnapshot } from './snapshot.ts';

/** The queue, and the log that it can be made again from. */
export interface Store {
  readonly state: QueueState;
  readonly logBytes: number;
  /** Resolves with the answer once the change is durable and made. */
  change(record: ChangeRecord, parts?: readonly Buffer[]): Promise<JsonObject>;
  close(): Promise<void>;
}

export type StoreOptions = Readonly<{
  /** null: everything is gone with the process. */
  directory: string | null;
  logger: Logger;
  /** A log shorter than this is never rewritten. */
  rewriteBytes: number;
}>;

/** Opens the queue as the last server of this folder left it, however that one ended. */
export async function openStore(options: StoreOptions): Promise<Store> {
  if (options.directory === null)
    return storeOver(emptyState(), memoryJournal(), async () => undefined);
  const { directory } = options;
  return openLocked(directory, options).catch((error: unknown) => {
    throw error instanceof TrainerError ? error : unusable(directory, error);
  });
}

async function openLocked(directory: string, options: StoreOptions): Promise<Store> {
  await makeFolder(resolve(directory));
  const lock = await takeLock(directory);
  try {
    return await openDurable(directory, options, lock.release);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

function unusable(directory: string, cause: unknown): TrainerError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const message = `The folder ${directory} cannot hold the trajectory log: ${reason}. Choose another one.`;
  return new TrainerError('CONFIG', message, { cause });
}

async function openDurable(
  directory: string,
  { logger, rewriteBytes }: StoreOptions,
  release: () => Promise<void>,
): Promise<Store> {
  const { state, goodBytes } = await replay(directory);
  const file = await openLogFile(directory, goodBytes);
  const journal = fileJournal(file, {
    isDue: (bytes) => bytes > rewriteBytes && bytes > 2 * state.waitingBytes,
    pieces: () => encodeEntry(takeSnapshot(state)),
    onFailure: (error) =>
      logger.log('warn', `The trajectory log could not be shortened: ${String(error)}`),
  });
  return storeOver(state, journal, release);
}

function storeOver(state: QueueState, journal: Journal, release: () => Promise<void>): Store {
  return {
    state,
    get logBytes() {
      return journal.bytes;
    },
    change: (record, parts = []) =>
      journal.commit(encodeEntry({ record, parts }), () => applyRecord(state, record, parts)),
    close: async () => {
      await journal.close();
      await release();
    },
  };
}

async function replay(
  directory: string,
): Promise<Readonly<{ state: QueueState; goodBytes: number }>> {
  const path = join(directory, logName);
  const state = emptyState();
  let goodBytes = 0;
  if (!(await exists(path))) return { state, goodBytes };
  try {
    for await (const { entry, goodBytes: end } of readEntries(readLogLines(path))) {
      const { record, parts } = entry;
      if (record.type === 'snapshot') Object.assign(state, fromSnapshot(record, parts));
      else applyRecord(state, record, parts);
      goodBytes = end;
    }
  } catch (cause) {
    const message = `The trajectory log ${path} is damaged after byte ${goodBytes}. Move the file aside to begin with an empty queue, or cut it off there to keep what comes before.`;
    throw new TrainerError('LOG_DAMAGED', message, { cause });
  }
  return { state, goodBytes };
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
