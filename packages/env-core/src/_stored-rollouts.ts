import { join } from 'node:path';
import type { RolloutEvent, RolloutRecord } from '@hermes/protocol';
import { parseLine, readLines } from './_jsonl-file.ts';

/** The whole final records of these trials, as they lie in a run directory. */
export async function* recordsIn(
  folder: string,
  trialKeys: ReadonlySet<string>,
): AsyncGenerator<RolloutRecord> {
  if (trialKeys.size === 0) return;
  for await (const line of readLines(join(folder, 'records.jsonl'))) {
    const record = parseLine(line) as RolloutRecord | undefined;
    if (record && trialKeys.has(record.trialKey)) yield record;
  }
}

/** The events of one rollout. What a crash cut is left out. */
export async function* eventsIn(folder: string, rolloutId: string): AsyncGenerator<RolloutEvent> {
  for await (const line of readLines(join(folder, 'events', `${rolloutId}.jsonl`))) {
    const event = parseLine(line) as RolloutEvent | undefined;
    if (event) yield event;
  }
}
