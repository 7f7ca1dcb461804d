import type { RolloutRecord, TrainerStatus } from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';
import { summaryMetrics } from '../_finish-run.ts';
import type { DataPosition, GroupLog } from '../_group-log.ts';
import type { OfferedTools } from '../_offered-tools.ts';
import { planGroup, playGroup } from '../_play-group.ts';
import type { OpenRun } from '../_run-scope.ts';
import { slimRecord } from '../_slim-record.ts';
import type { RunOptions } from '../run-options.ts';
import { type Bell, createBell } from './_bell.ts';
import { saveCheckpoint } from './_checkpoint.ts';
import { type Course, openCourse, type Played } from './_course.ts';
import { type DataMark, openDataMark } from './_data-mark.ts';
import { type Evaluations, openEvaluations } from './_evaluation.ts';
import { groupsWanted, isOver } from './_groups-wanted.ts';
import { type Drawn, type ItemSource, openItemSource } from './_item-source.ts';
import type { Joined, TrainerInfo, TrainerLink } from './_trainer-link.ts';
import { openTrainingReport, type ReportPlace, type TrainingReport } from './_training-report.ts';
import type { ServeRules } from './serve-rules.ts';

const POLL_MS = 1_000;
/** After so many failed groups in a row only one is tried at a time: what is down is not asked by all. */
const PATIENCE = 5;

/** What a run that feeds a trainer consists of. */
export type Shift<Data> = {
  readonly run: OpenRun<Data>;
  readonly options: RunOptions<Data> & ServeRules;
  readonly log: GroupLog | null;
  readonly link: TrainerLink;
  readonly course: Course<Data>;
  readonly mark: DataMark;
  readonly source: ItemSource<Data>;
  readonly evaluations: Evaluations;
  readonly report: TrainingReport;
  readonly bell: Bell;
  /** Whole records of groups that an earlier process could not bring to their end, by trial key. */
  readonly known: ReadonlyMap<string, RolloutRecord>;
  readonly records: RolloutRecord[];
  /** Groups under way. */
  readonly playing: Set<Promise<void>>;
  /** Groups on their way to the trainer, the oldest first. */
  readonly played: Played<Data>[];
  joined: Joined;
  info: TrainerInfo;
  step: number;
  trainerLost: number;
};

/** Where a shift begins. */
export type ShiftStart = Readonly<{
  log: GroupLog | null;
  link: TrainerLink;
  joined: Joined;
  from: DataPosition;
  known: ReadonlyMap<string, RolloutRecord>;
  tools: OfferedTools;
}>;

/** Nothing is played before `workShift`. */
export function openShift<Data>(
  run: OpenRun<Data>,
  options: RunOptions<Data> & ServeRules,
  { log, link, joined, from, known, tools }: ShiftStart,
): Shift<Data> {
  const bell = createBell(run.context.effects.clock);
  const report = openTrainingReport(options.metrics ?? [], options.report ?? {});
  const shift: Shift<Data> = {
    run,
    options,
    log,
    link,
    course: openCourse(run, options, link, log, tools),
    mark: openDataMark(log, from, run.context.effects.clock),
    source: openItemSource(options.environment, run.context.random, from),
    evaluations: openEvaluations(options.evaluation, run, (summary) => {
      if (summary !== null) report.tellOnly(placeOf(shift), summaryMetrics('eval', summary));
      bell.ring();
    }),
    report,
    bell,
    known,
    records: [],
    playing: new Set(),
    played: [],
    joined,
    info: { batchSize: null, maxTokens: null },
    step: joined.step,
    trainerLost: 0,
  };
  return shift;
}

/** Until the trainer has all that it needs, or the run is aborted. Each round looks at the trainer before it does anything. */
export async function workShift<Data>(shift: Shift<Data>): Promise<void> {
  const { run, link, bell, options } = shift;
  while (!run.signal.aborted) {
    const status = await link.status();
    const isThere = status !== null && (await askInfo(shift));
    if (!isThere) {
      await rejoin(shift);
      continue;
    }
    await follow(shift, status);
    const sent = await handIn(shift);
    if (sent === null) continue;
    const { batchSize } = shift.info;
    if (isOver(status, totalSteps(shift), options.group.size, batchSize))
      return shift.evaluations.close();
    await startGroups(shift, { ...status, queuedGroups: status.queuedGroups + sent });
    await bell.wait(options.pollMs ?? POLL_MS, run.signal);
  }
}

/** Ends what is under way. To be called when the run's signal was aborted. */
export async function closeShift<Data>(shift: Shift<Data>): Promise<void> {
  const { playing, source, evaluations, mark } = shift;
  await Promise.all([...playing, evaluations.close(), source.close(), mark.close()]);
}

/** Asks until the trainer has told its batch size and its limit. false: it is lost. */
async function askInfo<Data>(shift: Shift<Data>): Promise<boolean> {
  if (shift.info.batchSize !== null && shift.info.maxTokens !== null) return true;
  const info = await shift.link.info();
  if (info === null) return false;
  const { size } = shift.options.group;
  if (info.batchSize !== null && info.batchSize < size) throw tooLarge(size, info.batchSize);
  shift.info = info;
  return true;
}

async function rejoin<Data>(shift: Shift<Data>): Promise<void> {
  shift.trainerLost += 1;
  shift.joined = await shift.link.join();
  shift.info = { batchSize: null, maxTokens: null };
  shift.step = shift.joined.step;
}

/** What is due because the trainer has made a step: evaluation, checkpoint, report. */
async function follow<Data>(shift: Shift<Data>, status: TrainerStatus): Promise<void> {
  const before = shift.step;
  if (status.step === before) return;
  shift.step = status.step;
  shift.evaluations.look(before, status.step);
  const { logger } = shift.run.context.effects;
  await saveCheckpoint(shift.joined, before, status.step, shift.mark.position(), logger);
  tellReport(shift);
}

/** Tells what happened since the last report, where it is enough. */
export function tellReport<Data>(shift: Shift<Data>): void {
  const { skipped, truncated, segmentsLeftOut } = shift.course.counts();
  const reasons = Object.entries(skipped).map(([reason, count]) => [
    `train/groups_skipped/${reason}`,
    count,
  ]);
  shift.report.tell(placeOf(shift), {
    ...Object.fromEntries(reasons),
    'train/sequences_truncated': truncated,
    'train/segments_left_out': segmentsLeftOut,
    'train/trainer_lost': shift.trainerLost,
  });
}

function placeOf<Data>({ run, step, joined, info }: Shift<Data>): ReportPlace {
  const { wallMs } = run.context.effects.clock.now();
  return { step, wallMs, prefix: joined.name, maxTokens: info.maxTokens };
}

/** Sends what was played. How many groups the trainer has taken; null: it was lost, and the rest waits. */
async function handIn<Data>(shift: Shift<Data>): Promise<number | null> {
  let sent = 0;
  for (let next = shift.played[0]; next !== undefined; next = shift.played[0]) {
    const settled = await shift.course.settle(next, shift.info.maxTokens);
    if (settled === null) return null;
    shift.played.shift();
    shift.mark.end(next.at);
    const { records } = next.end;
    shift.report.ended({ records, group: settled.group, durationMs: next.durationMs });
    if (settled.outcome === 'sent') sent += 1;
  }
  await shift.mark.save();
  return sent;
}

async function startGroups<Data>(shift: Shift<Data>, status: TrainerStatus): Promise<void> {
  const { options, evaluations, info, course, run } = shift;
  const { group: rules, scheduler } = options;
  const places = Math.ceil((scheduler?.rollouts ?? 4) / rules.size);
  const limit = evaluations.limit(rules.workers ?? places);
  const wanted = groupsWanted({ rules, batchSize: info.batchSize, status, limit });
  const allowed = course.failedInARow() < PATIENCE ? wanted : Math.min(wanted, 1);
  while (shift.playing.size + shift.played.length < allowed && !run.signal.aborted)
    startGroup(shift, await shift.source.next());
}

function startGroup<Data>(shift: Shift<Data>, { item, at }: Drawn<Data>): void {
  const { run, options, mark, log, known, playing, played, records, bell } = shift;
  mark.begin(at);
  if (log?.ended().has(at.group)) {
    mark.end(at);
    return;
  }
  const { clock } = run.context.effects;
  const { size } = options.group;
  const place = { index: at.group, firstAttempt: at.epoch * size, size };
  const plan = planGroup(options, run.context.runId, item, place);
  const sinceMs = clock.now().monoMs;
  const play = async () => {
    const end = await playGroup(run, plan, known);
    const isNew = (record: RolloutRecord) => !known.has(record.trialKey);
    records.push(...end.records.filter(isNew).map(slimRecord));
    const durationMs = clock.now().monoMs - sinceMs;
    if (end.kind !== 'cancelled') played.push({ plan, at, end, durationMs });
    playing.delete(one);
    bell.ring();
  };
  const one = play();
  playing.add(one);
}

/** Some trainers register 0 or less for "without end". */
function totalSteps<Data>({ options, joined }: Shift<Data>): number | null {
  const steps = options.group.totalSteps ?? joined.totalSteps;
  return steps === null || steps <= 0 ? null : steps;
}

function tooLarge(size: number, batchSize: number): HermesError {
  const message = `A group of ${size} is larger than the trainer's batch of ${batchSize}: choose a smaller group size`;
  return new HermesError('config', 'CONFIG', message);
}
