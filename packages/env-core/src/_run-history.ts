import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unknownUsage } from '@hermes/agent-loop';
import type { RolloutRecord, RolloutTry } from '@hermes/protocol';
import { erroredAs } from './_classify.ts';
import { keepLines, parseLine, readLines } from './_jsonl-file.ts';
import { slimRecord } from './_slim-record.ts';
import { asTry } from './run-rollout.ts';

/** What earlier processes left behind, repaired. */
export type History = Readonly<{
  finished: ReadonlyMap<string, RolloutRecord>;
  tries: ReadonlyMap<string, readonly RolloutTry[]>;
  damagedLines: number;
}>;

/** Reads a run directory: moves cut lines aside, and the records of trials that run again to the tries. */
export async function readHistory(
  folder: string,
  retry: (record: RolloutRecord) => boolean,
): Promise<History> {
  const damage = { lines: 0 };
  const ended = await readTries(folder, damage);
  const finished = new Map<string, RolloutRecord>();
  await sift(folder, 'records.jsonl', damage, async (record: RolloutRecord, bytes) => {
    if (finished.has(record.trialKey)) return false;
    if (retry(record)) {
      await moveToTries(folder, record, bytes, ended);
      return false;
    }
    finished.set(record.trialKey, slimRecord(record));
    return true;
  });
  const tries = await readStarted(folder, damage, finished, ended);
  return { finished, tries, damagedLines: damage.lines };
}

/** A crash may come between this and the removal of the record: then the next start finds it in both, and writes it once. */
async function moveToTries(
  folder: string,
  record: RolloutRecord,
  bytes: Buffer,
  ended: Map<string, RolloutTry>,
): Promise<void> {
  if (ended.has(record.rolloutId)) return;
  ended.set(record.rolloutId, asTry(record));
  await appendFile(join(folder, 'tries.jsonl'), Buffer.concat([bytes, NEWLINE]), { flush: true });
}

const NEWLINE = Buffer.from('\n');

/** Reads the lines of a file and takes out of it those that are damaged, or that the caller does not keep. */
async function sift<T extends object>(
  folder: string,
  name: string,
  damage: { lines: number },
  keep: (value: T, bytes: Buffer) => Promise<boolean>,
): Promise<void> {
  const path = join(folder, name);
  const dropped = new Set<number>();
  let index = 0;
  for await (const line of readLines(path)) {
    const value = parseLine(line);
    if (value === undefined) {
      damage.lines += 1;
      await appendFile(join(folder, 'damaged.jsonl'), Buffer.concat([line.bytes, NEWLINE]));
    }
    if (value === undefined || !(await keep(value as T, line.bytes))) dropped.add(index);
    index += 1;
  }
  if (dropped.size > 0) await keepLines(path, (line) => !dropped.has(line));
}

type Started = Readonly<{ trialKey: string; rolloutId: string }>;

async function readTries(
  folder: string,
  damage: { lines: number },
): Promise<Map<string, RolloutTry>> {
  const ended = new Map<string, RolloutTry>();
  await sift(folder, 'tries.jsonl', damage, async (record: RolloutRecord) => {
    if (ended.has(record.rolloutId)) return false;
    ended.set(record.rolloutId, asTry(record));
    return true;
  });
  return ended;
}

async function readStarted(
  folder: string,
  damage: { lines: number },
  finished: ReadonlyMap<string, RolloutRecord>,
  ended: ReadonlyMap<string, RolloutTry>,
): Promise<ReadonlyMap<string, readonly RolloutTry[]>> {
  const tries = new Map<string, RolloutTry[]>();
  await sift(folder, 'started.jsonl', damage, async ({ trialKey, rolloutId }: Started) => {
    if (finished.has(trialKey)) return true;
    const known = tries.get(trialKey) ?? [];
    tries.set(trialKey, [...known, ended.get(rolloutId) ?? interruptedTry(rolloutId)]);
    return true;
  });
  return tries;
}

/** Its process died: what it used is not known. */
function interruptedTry(rolloutId: string): RolloutTry {
  const message = 'The process ended before this try did';
  return {
    rolloutId,
    errored: erroredAs('cancelled', 'interrupted', message),
    usage: unknownUsage,
    costUsd: null,
    durationMs: 0,
  };
}
