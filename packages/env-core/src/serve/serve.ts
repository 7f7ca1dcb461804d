import type { RolloutRecord } from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';
import { canonicalJson } from '../_canonical-json.ts';
import { finishRun } from '../_finish-run.ts';
import type { DataPosition, GroupLog } from '../_group-log.ts';
import { type OfferedTools, rememberTools } from '../_offered-tools.ts';
import { inRun, type OpenRun } from '../_run-scope.ts';
import type { RunOptions } from '../run-options.ts';
import { groupPlanOf } from '../run-plan.ts';
import { loadCheckpoint } from './_checkpoint.ts';
import { closeShift, openShift, type ShiftStart, workShift } from './_shift.ts';
import type { Shift } from './_shift-state.ts';
import { tellReport } from './_tell-report.ts';
import { openTrainerLink } from './_trainer-link.ts';
import type { ServeRules, ServeSummary } from './serve-rules.ts';

type Options<Data> = RunOptions<Data> & ServeRules;

const CALL_MS = 120_000;
const MAX_TOKENS = 2_048;
const BEGINNING: DataPosition = { v: 1, group: 0, epoch: 0, item: 0 };
/** Why groups that are under way are ended when the trainer has all that it needs. */
const OVER = new HermesError('environment', 'CANCELLED', 'The trainer has all that it needs');

/**
 * Feeds a trainer with groups of rollouts until it has made all its steps, or the signal ends it. Waits
 * for the trainer, never runs further ahead of it than it may, keeps what it refuses, and goes on when
 * it was away. With a run directory a run that ended early goes on where it was: open it with
 * `groupPlanOf(options, { job: 'serve', size })`. Rejects with a HermesError for wrong options, for items
 * that cannot be read, for a sink that fails, NO_TRAINER, NOT_TRAINABLE, and for a trainer that answers
 * nonsense. Whatever happens, it takes its leave of the trainer and ends its rollouts.
 */
export async function serve<Data>(options: Options<Data>): Promise<ServeSummary> {
  refuseWrongRules(options);
  const tools = rememberTools(options.directory);
  const sinks = options.write ? [...options.sinks, tools.sink] : options.sinks;
  return inRun({ ...options, sinks }, (run) => serveIn(run, options, tools));
}

async function serveIn<Data>(
  run: OpenRun<Data>,
  options: Options<Data>,
  tools: OfferedTools,
): Promise<ServeSummary> {
  const { context } = run;
  if (options.environment.sandbox) await context.capabilities();
  const log = (await options.directory?.groups()) ?? null;
  const { group, trainer, waitForTrainerMs = Number.POSITIVE_INFINITY } = options;
  const registration = {
    name: group.name,
    maxTokens: group.maxTokens ?? MAX_TOKENS,
    weight: group.weight ?? 1,
    groupSize: group.size,
    minBatchShare: group.minBatchShare ?? null,
  };
  const limits = { waitMs: waitForTrainerMs, callMs: options.trainerTimeoutMs ?? CALL_MS };
  const link = openTrainerLink(trainer, registration, limits, run);
  const shift = await unlessAborted(options, begin(run, options, { link, log, tools })).catch(
    async (error) => {
      await link.leave();
      throw error;
    },
  );
  try {
    if (shift !== null) await unlessAborted(options, workShift(shift));
  } finally {
    run.abort(OVER);
    await link.leave();
    if (shift !== null) await closeShift(shift);
  }
  if (run.signal.reason !== OVER && !options.signal?.aborted) throw run.signal.reason;
  return summed(run, options, shift);
}

/** Waits for the trainer; then it is known where in the data to begin. */
async function begin<Data>(
  run: OpenRun<Data>,
  options: Options<Data>,
  parts: Pick<ShiftStart, 'link' | 'log' | 'tools'>,
): Promise<Shift<Data>> {
  const { link, log } = parts;
  const joined = await link.join();
  const saved = log?.position() ?? (await loadCheckpoint(joined, options.group.name));
  const known = await knownRecords(options, log);
  const resumed = options.directory?.finished().size ?? 0;
  await options.directory?.planned(resumed);
  const { runId } = run.context;
  run.context.announce({ type: 'run_start', runId, planned: 0, resumed, keptErrored: 0 });
  const isLastTaken = known.size === 0 ? () => false : await link.lastTaken();
  const from = saved ?? BEGINNING;
  return openShift(run, options, { ...parts, joined, from, known, isLastTaken });
}

/** Whole records of groups that were under way when an earlier process ended. */
async function knownRecords<Data>(
  { directory }: Options<Data>,
  log: GroupLog | null,
): Promise<ReadonlyMap<string, RolloutRecord>> {
  const known = new Map<string, RolloutRecord>();
  const finished = [...(directory?.finished().values() ?? [])];
  const open = finished.filter((record) => !log?.ended().has(record.itemIndex));
  const keys = new Set(open.map((record) => record.trialKey));
  for await (const record of directory?.records(keys) ?? []) known.set(record.trialKey, record);
  return known;
}

/** null: the caller has ended the run, and that is no error. */
async function unlessAborted<T>(
  { signal }: Pick<Options<never>, 'signal'>,
  work: Promise<T>,
): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (signal?.aborted) return null;
    throw error;
  }
}

async function summed<Data>(
  { context }: OpenRun<Data>,
  { directory, signal }: Options<Data>,
  shift: Shift<Data> | null,
): Promise<ServeSummary> {
  const earlier = [...(directory?.finished().values() ?? [])];
  const isWanted = (record: RolloutRecord) =>
    record.status === 'completed' || record.errored.reason !== 'cancelled';
  const records = [...earlier, ...(shift?.records.filter(isWanted) ?? [])];
  if (shift !== null) tellReport(shift);
  await directory?.planned(records.length);
  const isCut = signal?.aborted === true;
  const summary = await finishRun(context, records, records.length, isCut);
  const counts = shift?.course.counts() ?? NOTHING;
  const evaluations = shift?.evaluations.counts() ?? { evaluations: 0, evaluationsFailed: 0 };
  const groups = { ...counts, ...evaluations, trainerLost: shift?.trainerLost ?? 0 };
  return { ...summary, groups, step: shift?.step ?? 0 };
}

const NOTHING = { sent: 0, skipped: {}, refused: {}, truncated: 0, segmentsLeftOut: 0 };

function refuseWrongRules<Data>(options: Options<Data>): void {
  const { size, name, workers = 1, minBatchShare = 0 } = options.group;
  for (const [key, value] of Object.entries({ 'group.size': size, 'group.workers': workers }))
    if (!Number.isInteger(value) || value < 1)
      throw config('CONFIG', `${key} must be a whole number from 1, not ${value}`);
  if (name === '') throw config('CONFIG', 'group.name must not be empty: the trainer shows it');
  if (!(minBatchShare >= 0 && minBatchShare <= 1))
    throw config('CONFIG', `group.minBatchShare must be from 0 to 1, not ${minBatchShare}`);
  const plan = groupPlanOf(options, { job: 'serve', size });
  if (options.directory && canonicalJson(options.directory.plan) !== canonicalJson(plan))
    throw config(
      'PLAN_CHANGED',
      'The run directory was opened with another plan than this run has',
    );
}

function config(code: string, message: string): HermesError {
  return new HermesError('config', code, message);
}
