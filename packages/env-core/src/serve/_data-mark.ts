import type { Clock } from '@hermes/protocol';
import type { DataPosition, GroupLog } from '../_group-log.ts';

/** Follows which groups have come to their end, so that a later process knows where to go on. */
export type DataMark = Readonly<{
  begin: (at: DataPosition) => void;
  end: (at: DataPosition) => void;
  /** The first group that has not ended; everything before it has. */
  position: () => DataPosition;
  /** Writes the position down where it has changed, at most once in a second: it only saves a later process from going through groups that have ended. */
  save: () => Promise<void>;
  /** Writes it down now. */
  close: () => Promise<void>;
}>;

const SAVE_EVERY_MS = 1_000;

/** log null: the position is only remembered. */
export function openDataMark(log: GroupLog | null, from: DataPosition, clock: Clock): DataMark {
  const running = new Map<number, DataPosition>();
  let next = from;
  let saved = from;
  let savedMs = clock.now().monoMs;
  const save = async () => {
    const now = position();
    if (now.group === saved.group) return;
    saved = now;
    savedMs = clock.now().monoMs;
    await log?.moveTo(now);
  };
  const position = () => {
    const oldest = Math.min(...running.keys());
    return running.get(oldest) ?? next;
  };
  return {
    begin: (at) => {
      running.set(at.group, at);
      next = { ...at, group: at.group + 1, item: at.item + 1 };
    },
    end: (at) => {
      running.delete(at.group);
    },
    position,
    save: async () => {
      if (clock.now().monoMs - savedMs >= SAVE_EVERY_MS) await save();
    },
    close: save,
  };
}
