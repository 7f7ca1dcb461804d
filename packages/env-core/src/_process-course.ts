import { HermesError } from '@hermes/protocol';
import { finishedGroup } from './_finished-group.ts';
import type { GroupLog } from './_group-log.ts';
import type { OfferedTools } from './_offered-tools.ts';
import type { GroupEnd, GroupPlan } from './_play-group.ts';
import type { RunContext } from './_run-context.ts';
import type { GroupCounts, ProcessRules } from './process-rules.ts';
import type { RunDirectory } from './run-directory.ts';

const MAX_FAILED_GROUPS = 50;

/** What has become of the groups of a run so far. */
export type GroupCourse<Data> = Readonly<{
  /** Whether an earlier process brought it to its end. */
  isEnded: (plan: GroupPlan<Data>) => boolean;
  /** Writes a group, or notes why not; null: it was cancelled. To be called in the order of the groups; the next one may follow as soon as `begun` was called, or this has ended. */
  settle: (
    plan: GroupPlan<Data>,
    end: GroupEnd,
    begun: () => void,
  ) => Promise<'written' | 'skipped' | null>;
  unsettled: () => readonly GroupPlan<Data>[];
  counts: () => GroupCounts;
}>;

/** Goes on where an earlier process was. */
export async function openGroupCourse<Data>(
  context: RunContext<Data>,
  rules: ProcessRules,
  tools: OfferedTools,
  plans: readonly GroupPlan<Data>[],
): Promise<GroupCourse<Data>> {
  const { directory } = context.options;
  const log = (await directory?.groups()) ?? null;
  const settled = new Set(plans.filter((plan) => isEnded(directory, log, plan)).map(indexOf));
  const earlier = new Set(settled);
  const counts = countsOf(log, settled);
  let isCut = false; // a group was cancelled: those behind it must come after it
  let failed = 0;
  const note = async (
    plan: GroupPlan<Data>,
    end: GroupEnd,
    outcome: 'written' | 'skipped',
    reason: string | null,
  ) => {
    const { groupId, index, item } = plan;
    const [first] = end.records;
    await log?.end({
      groupId,
      index,
      itemId: item.id,
      outcome,
      reason,
      toolsets: first?.toolsets ?? [],
      rolloutIds: end.records.map((record) => record.rolloutId),
      wallMs: context.effects.clock.now().wallMs,
    });
    settled.add(index);
    if (reason === null) counts.written += 1;
    else counts.skipped[reason] = (counts.skipped[reason] ?? 0) + 1;
    context.announce({ type: 'group_end', groupId, outcome, reason });
    return outcome;
  };
  const settle: GroupCourse<Data>['settle'] = async (plan, end, begun) => {
    if (end.kind === 'cancelled') isCut = true;
    if (end.kind === 'cancelled' || isCut) return null;
    if (end.kind === 'failed') {
      const { reason, cause } = end.first.errored;
      const outcome = await note(plan, end, 'skipped', `${reason}/${cause}`);
      failed += 1;
      if (failed >= (rules.maxFailedGroups ?? MAX_FAILED_GROUPS)) throw tooMany(failed, plan, end);
      return outcome;
    }
    const kept = end.records.filter((record) => rules.keep?.(record) ?? true);
    if (kept.length === 0) return note(plan, end, 'skipped', 'filtered');
    const writing = rules.write(await finishedGroup(plan, kept, tools));
    begun();
    await writing;
    return note(plan, end, 'written', null);
  };
  return {
    isEnded: (plan) => earlier.has(plan.index),
    settle: (plan, end, begun) =>
      settle(plan, end, begun).finally(() => tools.forget(end.records.map((one) => one.rolloutId))),
    unsettled: () => plans.filter((plan) => !settled.has(plan.index)),
    counts: () => ({ planned: plans.length, ...counts }),
  };
}

function indexOf(plan: GroupPlan<unknown>): number {
  return plan.index;
}

/** A group that was given up runs again as soon as the trial that spoilt it does. */
function isEnded(
  directory: RunDirectory | undefined,
  log: GroupLog | null,
  plan: GroupPlan<unknown>,
): boolean {
  const entry = log?.ended().get(plan.index);
  if (entry === undefined) return false;
  if (entry.outcome === 'written' || entry.reason === 'filtered') return true;
  const finished = directory?.finished();
  return plan.trials.some((trial) => finished?.get(trial.trialKey)?.status === 'errored');
}

function countsOf(log: GroupLog | null, settled: ReadonlySet<number>) {
  const counts = { written: 0, skipped: {} as Record<string, number> };
  for (const [index, { reason }] of log?.ended() ?? []) {
    if (!settled.has(index)) continue;
    if (reason === null) counts.written += 1;
    else counts.skipped[reason] = (counts.skipped[reason] ?? 0) + 1;
  }
  return counts;
}

function tooMany(
  failed: number,
  { item }: GroupPlan<unknown>,
  { first }: Extract<GroupEnd, { kind: 'failed' }>,
): HermesError {
  const { reason, cause, error } = first.errored;
  const message =
    `${failed === 1 ? '1 group' : `${failed} groups`} could not be had, the last one of item ${item.id} (${reason}/${cause}): ${error.message}. ` +
    'What was written is kept: mend that and go on with --resume';
  return new HermesError('environment', 'TOO_MANY_FAILURES', message);
}
