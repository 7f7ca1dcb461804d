import { fingerprintOf } from './_fingerprint.ts';
import type { TrainingLine } from './training-format.ts';

/** Knows which lines a training file has, so that none is written twice. */
export interface LineMemory {
  /** A line that was found in the file. */
  found(line: Readonly<Record<string, unknown>>): void;
  /** Whether the line is to be written; from then on it counts as written. */
  admit(line: TrainingLine): boolean;
  counts(): Readonly<{ found: number; written: number; duplicates: number }>;
}

/** dedupe: also refuse lines that teach the same as one that is there. */
export function createLineMemory(dedupe: boolean): LineMemory {
  const ids = new Set<string>();
  const fingerprints = new Set<string>();
  let found = 0;
  let duplicates = 0;
  const remember = (id: string, line: Readonly<Record<string, unknown>>) => {
    ids.add(id);
    if (dedupe) fingerprints.add(fingerprintOf(line));
  };
  return {
    found: (line) => {
      remember(String(line.id), line);
      found = ids.size;
    },
    admit: ({ id, value }) => {
      if (ids.has(id)) return false;
      const isDuplicate = dedupe && fingerprints.has(fingerprintOf(value));
      if (isDuplicate) duplicates += 1;
      else remember(id, value);
      return !isDuplicate;
    },
    counts: () => ({ found, written: ids.size - found, duplicates }),
  };
}
