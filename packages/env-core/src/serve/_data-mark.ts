import type { DataPosition, GroupLog } from '../_group-log.ts';

/** Follows which groups have come to their end, so that a later process knows where to go on. */
export type DataMark = Readonly<{
  begin: (at: DataPosition) => void;
  end: (at: DataPosition) => void;
  /** The first group that has not ended; everything before it has. */
  position: () => DataPosition;
  /** Writes the position down, where it has changed. */
  save: () => Promise<void>;
}>;

/** log null: the position is only remembered. */
export function openDataMark(log: GroupLog | null, from: DataPosition): DataMark {
  const running = new Map<number, DataPosition>();
  let next = from;
  let saved = from;
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
      const now = position();
      if (now.group === saved.group) return;
      saved = now;
      await log?.moveTo(now);
    },
  };
}
