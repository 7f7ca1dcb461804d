import { join } from 'node:path';
import type { ScoredGroup } from '@hermes/protocol';
import { withFileErrors } from './_file-error.ts';
import {
  keepLines,
  type LineWriter,
  openLineWriter,
  parseLine,
  readLines,
  writeAtomically,
} from './_jsonl-file.ts';

/** A line of groups.jsonl: a group that has come to its end, and what became of it. */
export type GroupEntry = Readonly<{
  groupId: string;
  /** The group's number in the run, from 0. */
  index: number;
  itemId: string;
  outcome: 'written' | 'sent' | 'skipped' | 'refused';
  /** Why it was skipped or refused; null: it was not. */
  reason: string | null;
  /** What was drawn for the group. */
  toolsets: readonly string[];
  rolloutIds: readonly string[];
  wallMs: number;
}>;

/** Where in the data a run stands. Everything before it has come to its end. */
export type DataPosition = Readonly<{
  v: 1;
  /** The number of the next group. */
  group: number;
  /** How often all items were gone through. */
  epoch: number;
  /** The place of the next item among all items. */
  item: number;
}>;

/** The groups of a run on disk. Records and output are synced; what a power failure takes from here is found out again from them. */
export interface GroupLog {
  /** Groups that earlier processes brought to their end, by number; of two lines for one group the last. */
  ended(): ReadonlyMap<number, Pick<GroupEntry, 'outcome' | 'reason'>>;
  /** null: nothing was noted yet. */
  position(): DataPosition | null;
  end(entry: GroupEntry): Promise<void>;
  /** Keeps a whole group that a trainer will never take. */
  refuse(group: ScoredGroup, reason: string): Promise<void>;
  moveTo(position: DataPosition): Promise<void>;
  close(): Promise<void>;
}

/** Opens groups.jsonl, refused.jsonl and position.json in a folder that this process has locked. A line that a crash cut is taken out: its group runs again. */
export async function openGroupLog(folder: string): Promise<GroupLog> {
  const ended = await readEnded(join(folder, 'groups.jsonl'));
  await readEnded(join(folder, 'refused.jsonl'));
  const position = await readPosition(join(folder, 'position.json'));
  const groups = await openLineWriter(join(folder, 'groups.jsonl'), { sync: false });
  const openRefused = () => openLineWriter(join(folder, 'refused.jsonl'), { sync: true });
  let refused: Promise<LineWriter> | null = null;
  const guard = <T>(work: () => Promise<T>) => withFileErrors('environment', folder, work);
  return {
    ended: () => ended,
    position: () => position,
    end: (entry) => guard(() => groups.append(entry)),
    refuse: (group, reason) =>
      guard(async () => {
        refused ??= openRefused();
        await (await refused).append({ reason, group });
      }),
    moveTo: (next) =>
      guard(() => writeAtomically(join(folder, 'position.json'), `${JSON.stringify(next)}\n`)),
    close: async () => {
      await groups.close();
      await (await refused)?.close();
    },
  };
}

async function readEnded(
  path: string,
): Promise<ReadonlyMap<number, Pick<GroupEntry, 'outcome' | 'reason'>>> {
  const ended = new Map<number, Pick<GroupEntry, 'outcome' | 'reason'>>();
  const damaged = new Set<number>();
  let line = 0;
  for await (const read of readLines(path)) {
    const entry = parseLine(read) as GroupEntry | undefined;
    if (entry === undefined) damaged.add(line);
    else ended.set(entry.index, { outcome: entry.outcome, reason: entry.reason });
    line += 1;
  }
  if (damaged.size > 0) await keepLines(path, (index) => !damaged.has(index));
  return ended;
}

async function readPosition(path: string): Promise<DataPosition | null> {
  for await (const line of readLines(path)) {
    const position = parseLine(line) as Partial<DataPosition> | undefined;
    if (position?.v === 1) return position as DataPosition;
  }
  return null;
}
