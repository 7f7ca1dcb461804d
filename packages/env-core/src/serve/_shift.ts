import type { RolloutRecord, ScoredGroup, TrainerStatus } from '@hermes/protocol';
import { summaryMetrics } from '../_finish-run.ts';
import type { DataPosition, GroupLog } from '../_group-log.ts';
import type { OfferedTools } from '../_offered-tools.ts';
import { ownMetrics } from '../_own-metrics.ts';
import type { OpenRun } from '../_run-scope.ts';
import type { RunOptions } from '../run-options.ts';
import { checkFit } from './_batch-fit.ts';
import { createBell } from './_bell.ts';
import { saveCheckpoint } from './_checkpoint.ts';
import { openCourse } from './_course.ts';
import { openDataMark } from './_data-mark.ts';
import { openEvaluations } from './_evaluation.ts';
import { isOver } from './_groups-wanted.ts';
import { handIn } from './_hand-in.ts';
import { openItemSource } from './_item-source.ts';
import type { Shift } from './_shift-state.ts';
import { startGroups } from './_start-groups.ts';
import { placeOf, tellReport } from './_tell-report.ts';
import type { Joined, TrainerLink } from './_trainer-link.ts';
import { openTrainingReport } from './_training-report.ts';
import type { ServeRules } from './serve-rules.ts';

const POLL_MS = 1_000;

/** Where a shift begins. */
export type ShiftStart = Readonly<{
  log: GroupLog | null;
  link: TrainerLink;
  joined: Joined;
  from: DataPosition;
  known: ReadonlyMap<string, RolloutRecord>;
  tools: OfferedTools;
  /** Of groups that an earlier process has played: whether the trainer took it last. */
  isLastTaken: (group: ScoredGroup) => boolean;
}>;

/** Nothing is played before `workShift`. */
export function openShift<Data>(
  run: OpenRun<Data>,
  options: RunOptions<Data> & ServeRules,
  { log, link, joined, from, known, tools, isLastTaken }: ShiftStart,
): Shift<Data> {
  const bell = createBell(run.context.effects.clock);
  const aggregate = (records: readonly RolloutRecord[]) => ownMetrics(run.context, records);
  const report = openTrainingReport(options.metrics ?? [], aggregate, options.report ?? {});
  const shift: Shift<Data> = {
    run,
    options,
    log,
    link,
    course: openCourse(run, options, link, log, tools, isLastTaken),
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
  const { run, bell, options } = shift;
  const { clock } = run.context.effects;
  while (!run.signal.aborted) {
    const sinceMs = clock.now().monoMs;
    const status = await lookAtTrainer(shift);
    const sent = status === null ? null : await handIn(shift);
    if (status === null || sent === null) continue;
    const { batchSize } = shift.info;
    if (isOver(status, totalSteps(shift), options.group.size, batchSize))
      return shift.evaluations.close();
    const queuedGroups = status.queuedGroups + sent;
    const started = await startGroups(shift, { ...status, queuedGroups });
    shift.report.round({ durationMs: clock.now().monoMs - sinceMs, started });
    await bell.wait(options.pollMs ?? POLL_MS, run.signal);
  }
}

/** What it says now, after all that its step made due. null: it was lost and is joined again. */
async function lookAtTrainer<Data>(shift: Shift<Data>): Promise<TrainerStatus | null> {
  const status = await shift.link.status();
  if (status === null || !(await askInfo(shift))) {
    await rejoin(shift);
    return null;
  }
  await follow(shift, status);
  return status;
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
  const { size, batchSize = info.batchSize } = shift.options.group;
  const isNews = shift.info.batchSize === null;
  if (batchSize !== null && isNews) checkFit(size, batchSize, shift.run.context.effects.logger);
  shift.info = { ...info, batchSize };
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
  shift.run.context.announce({
    type: 'trainer',
    state: 'step',
    step: status.step,
    message: `The trainer is at step ${status.step}`,
  });
  shift.evaluations.look(before, status.step);
  const { logger } = shift.run.context.effects;
  await saveCheckpoint(shift.joined, before, status.step, shift.mark.position(), logger);
  tellReport(shift);
}

/** Some trainers register 0 or less for "without end". */
function totalSteps<Data>({ options, joined }: Shift<Data>): number | null {
  const steps = options.group.totalSteps ?? joined.totalSteps;
  return steps === null || steps <= 0 ? null : steps;
}
