import type { RolloutRecord, ScoredGroup } from '@hermes/protocol';
import { finishedGroup } from '../_finished-group.ts';
import type { DataPosition, GroupEntry, GroupLog } from '../_group-log.ts';
import type { OfferedTools } from '../_offered-tools.ts';
import type { GroupEnd, GroupPlan } from '../_play-group.ts';
import type { OpenRun } from '../_run-scope.ts';
import type { RunOptions } from '../run-options.ts';
import { openFailureStreak } from './_failure-streak.ts';
import { prepareGroup } from './_send-rules.ts';
import type { Delivery, TrainerLink } from './_trainer-link.ts';
import type { ServeRules } from './serve-rules.ts';

/** A group that was played, on its way to the trainer. */
export type Played<Data> = Readonly<{
  plan: GroupPlan<Data>;
  at: DataPosition;
  end: GroupEnd;
  durationMs: number;
  /** An earlier process has played it, and may have sent it before it ended. */
  isOld: boolean;
}>;

/** What became of a group that has come to its end. group: as it was sent. */
type Settled = Readonly<{
  outcome: 'sent' | 'skipped' | 'refused';
  reason: string | null;
  group: ScoredGroup | null;
}>;

/** Brings played groups to their end. */
export type Course<Data> = Readonly<{
  /** null: the trainer is lost, and the group waits until it is found again. */
  settle: (played: Played<Data>, maxTokens: number | null) => Promise<Settled | null>;
  counts: () => Readonly<{
    sent: number;
    skipped: Readonly<Record<string, number>>;
    refused: Readonly<Record<string, number>>;
    truncated: number;
    segmentsLeftOut: number;
  }>;
  /** Whether the last groups all came to nothing. */
  isInVain: () => boolean;
}>;

/** The counts go on where an earlier process was. isLastTaken: of its groups, the one that the trainer took last. */
export function openCourse<Data>(
  { context }: OpenRun<Data>,
  options: RunOptions<Data> & ServeRules,
  link: TrainerLink,
  log: GroupLog | null,
  tools: OfferedTools,
  isLastTaken: (group: ScoredGroup) => boolean,
): Course<Data> {
  const counts = earlierCounts(log);
  let truncated = 0;
  let segmentsLeftOut = 0;
  const streak = openFailureStreak(context.effects.logger);
  const note = async ({ plan, end }: Played<Data>, settled: Settled): Promise<Settled> => {
    const { outcome, reason } = settled;
    await log?.end(entryOf(plan, end.records, settled, context.effects.clock.now().wallMs));
    count(counts, settled);
    context.announce({ type: 'group_end', groupId: plan.groupId, outcome, reason });
    return settled;
  };
  const skip = (played: Played<Data>, reason: string) =>
    note(played, { outcome: 'skipped', reason, group: null });
  const refuse = async (played: Played<Data>, group: ScoredGroup, reason: string, why: string) => {
    await log?.refuse(group, why);
    streak.note(why);
    const settled = await note(played, { outcome: 'refused', reason, group: null });
    await options.onRefused?.(group, why);
    return settled;
  };
  const deliver = async (played: Played<Data>, group: ScoredGroup): Promise<Settled | null> => {
    const wasTaken = played.isOld && isLastTaken(group);
    const delivery: Delivery = wasTaken ? { status: 'received' } : await link.send(group);
    if (delivery.status === 'lost') return null;
    if (delivery.status === 'refused') return refuse(played, group, 'rejected', delivery.reason);
    if (delivery.status === 'unknown')
      return refuse(played, group, 'delivery_unknown', 'The trainer did not say whether it came');
    streak.note(null);
    const settled = await note(played, { outcome: 'sent', reason: null, group });
    await options.onSent?.(group);
    return settled;
  };
  const settle: Course<Data>['settle'] = async (played, maxTokens) => {
    const { plan, end } = played;
    if (end.kind !== 'complete') {
      const cause = end.kind === 'failed' ? causeOf(end) : 'cancelled';
      streak.note(cause);
      return skip(played, cause);
    }
    const { environment, sampling, group: rules } = options;
    const parts = { environment, rules, sampling, maxTokens };
    const prepared = await prepareGroup(plan.groupId, end.records, parts);
    if (prepared.kind === 'failed') {
      const what = `finishGroup failed for item ${plan.item.id}: ${String(prepared.error)}`;
      context.effects.logger.log('error', what);
      streak.note('environment_failed');
      return skip(played, 'environment_failed');
    }
    if (prepared.kind === 'skip') return skip(played, prepared.reason);
    await options.write?.(await finishedGroup(plan, end.records, tools));
    const settled = await deliver(played, prepared.group);
    if (settled?.outcome === 'sent') {
      truncated += prepared.truncated;
      segmentsLeftOut += prepared.segmentsLeftOut;
    }
    return settled;
  };
  return {
    settle: async (played, maxTokens) => {
      const settled = await settle(played, maxTokens);
      if (settled !== null) tools.forget(played.end.records.map((record) => record.rolloutId));
      return settled;
    },
    counts: () => ({ ...counts, truncated, segmentsLeftOut }),
    isInVain: streak.isLong,
  };
}

type Counts = {
  sent: number;
  readonly skipped: Record<string, number>;
  readonly refused: Record<string, number>;
};

function earlierCounts(log: GroupLog | null): Counts {
  const counts: Counts = { sent: 0, skipped: {}, refused: {} };
  for (const { outcome, reason } of log?.ended().values() ?? [])
    if (outcome !== 'written') count(counts, { outcome, reason });
  return counts;
}

function count(counts: Counts, { outcome, reason }: Pick<Settled, 'outcome' | 'reason'>): void {
  if (outcome === 'sent') counts.sent += 1;
  else counts[outcome][reason ?? ''] = (counts[outcome][reason ?? ''] ?? 0) + 1;
}

function causeOf({ first }: Extract<GroupEnd, { kind: 'failed' }>): string {
  return `${first.errored.reason}/${first.errored.cause}`;
}

function entryOf(
  { groupId, index, item }: GroupPlan<unknown>,
  records: readonly RolloutRecord[],
  { outcome, reason }: Settled,
  wallMs: number,
): GroupEntry {
  return {
    groupId,
    index,
    itemId: item.id,
    outcome,
    reason,
    toolsets: records[0]?.toolsets ?? [],
    rolloutIds: records.map((record) => record.rolloutId),
    wallMs,
  };
}
