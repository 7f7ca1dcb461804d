import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RolloutRecord } from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';
import { parseLine, readLines } from './_jsonl-file.ts';
import { slimRecord } from './_slim-record.ts';
import { type RunFile, readRunFile } from './run-directory.ts';
import type { SummaryPlan } from './summarise.ts';

/** A run on disk, as far as it got. summaryPlan: what `summarise` needs beside the records. */
export type StoredRun = Readonly<{
  file: RunFile;
  /** Without messages and token segments. */
  records: readonly RolloutRecord[];
  summaryPlan: SummaryPlan;
  /** Lines that a crash cut; the next resume moves them aside. */
  damagedLines: number;
}>;

/** Reads a run directory without locking or changing it, also while it is being written. Throws a HermesError `config` where there is none. */
export async function readRun(path: string): Promise<StoredRun> {
  const file = await readRunFile(path);
  if (file === null) throw notARun(path);
  const records: RolloutRecord[] = [];
  let damagedLines = 0;
  for await (const line of readLines(join(path, 'records.jsonl'))) {
    const record = parseLine(line);
    if (record) records.push(slimRecord(record as RolloutRecord));
    else damagedLines += 1;
  }
  const summaryPlan = {
    runId: file.runId,
    environment: file.plan.environment.id,
    planned: file.planned ?? records.length,
    seed: file.plan.seed,
    metrics: await readMetrics(path),
  };
  return { file, records, summaryPlan, damagedLines };
}

/** The environment's own metrics need the environment; they are taken as the run left them. */
async function readMetrics(path: string): Promise<Readonly<Record<string, number>>> {
  try {
    const summary = JSON.parse(await readFile(join(path, 'summary.json'), 'utf8'));
    return summary.metrics ?? {};
  } catch {
    return {}; // the run did not come to its end
  }
}

function notARun(path: string): HermesError {
  return new HermesError(
    'config',
    'RUN_DIRECTORY',
    `There is no run in ${path}: run.json is missing`,
  );
}
