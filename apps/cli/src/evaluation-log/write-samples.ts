import { createReadStream, createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { RolloutRecord } from '@hermes/protocol';

/** One line for each trial of a run, in the order in which they ended. Of a trial that ran again the last record counts. */
export async function writeSamples(records: string, path: string): Promise<void> {
  const last = await lastLines(records);
  const partial = `${path}.partial`;
  await pipeline(Readable.from(samples(records, last)), createWriteStream(partial));
  await rename(partial, path);
}

async function* samples(path: string, last: ReadonlyMap<string, number>): AsyncGenerator<string> {
  for await (const { record, line } of recordsIn(path))
    if (last.get(record.trialKey) === line) yield `${JSON.stringify(sampleOf(record))}\n`;
}

async function lastLines(path: string): Promise<ReadonlyMap<string, number>> {
  const last = new Map<string, number>();
  for await (const { record, line } of recordsIn(path)) last.set(record.trialKey, line);
  return last;
}

async function* recordsIn(
  path: string,
): AsyncGenerator<Readonly<{ record: RolloutRecord; line: number }>> {
  let line = 0;
  for await (const text of createInterface({ input: createReadStream(path) })) {
    line += 1;
    if (text !== '') yield { record: JSON.parse(text) as RolloutRecord, line };
  }
}

function sampleOf(record: RolloutRecord): Readonly<Record<string, unknown>> {
  const { identity, tags, agent } = record;
  const isScored = record.status === 'completed';
  return {
    task_name: identity.itemId,
    attempt: identity.attempt,
    category: tags.category ?? null,
    passed: isScored ? record.reward.resolved : null,
    reward: isScored ? record.reward.reward : null,
    error: isScored ? null : `${record.errored.reason}: ${record.errored.error.message}`,
    turns_used: agent?.turnsUsed ?? 0,
    finished_naturally: agent?.stopReason === 'natural',
    messages: agent?.messages ?? [],
  };
}
