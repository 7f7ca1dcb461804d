import type { FileStat } from '@hermes/sandbox';

export type Region = Readonly<{ path: string; offset: number; limit: number }>;
/** Where in the rollout something happened. */
type Moment = Readonly<{ turn: number; commandsRun: number }>;
type Version = Readonly<{ mtimeMs: number; size: number }>;

/** What the model has read of the sandbox's files, so that it is not told twice. */
export interface ReadHistory {
  /** How often the same was asked for in a row, this time included. A string stands for a search. */
  countRepeat(what: Region | string, moment: Moment): number;
  /** Has the model this very text already? Says so once, then lets it be read again. */
  isKnown(region: Region, stat: FileStat): boolean;
  noteRead(region: Region, stat: FileStat): void;
  noteWrite(stat: FileStat): void;
  /** Did someone else change the file after the model last saw it? */
  changedSinceSeen(stat: FileStat): boolean;
}

export function createReadHistory(): ReadHistory {
  const seenRegions = new Map<string, Version & { told: boolean }>();
  const seenFiles = new Map<string, Version>();
  let last: Readonly<{ key: string; moment: Moment; count: number }> | null = null;

  return {
    countRepeat(what, moment) {
      const key = typeof what === 'string' ? what : keyOf(what);
      const again = last !== null && last.key === key && isNext(last.moment, moment);
      const count = again && last !== null ? last.count + 1 : 1;
      last = { key, moment, count };
      return count;
    },
    isKnown(region, stat) {
      const seen = seenRegions.get(keyOf(region));
      if (seen === undefined || !isSame(seen, stat) || seen.told) return false;
      seen.told = true;
      return true;
    },
    noteRead(region, stat) {
      seenRegions.set(keyOf(region), { ...versionOf(stat), told: false });
      seenFiles.set(stat.path, versionOf(stat));
    },
    noteWrite(stat) {
      seenFiles.set(stat.path, versionOf(stat));
      last = null;
    },
    changedSinceSeen(stat) {
      const seen = seenFiles.get(stat.path);
      return seen !== undefined && !isSame(seen, stat);
    },
  };
}

/** Another command or a turn without a read in between ends a row of repeats. */
function isNext(before: Moment, now: Moment): boolean {
  return now.turn - before.turn <= 1 && now.commandsRun === before.commandsRun;
}

function keyOf({ path, offset, limit }: Region): string {
  return `${offset}:${limit}:${path}`;
}

function versionOf({ mtimeMs, size }: FileStat): Version {
  return { mtimeMs, size };
}

function isSame(one: Version, other: Version): boolean {
  return one.mtimeMs === other.mtimeMs && one.size === other.size;
}
