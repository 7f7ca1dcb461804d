import type { CompletedRollout, ErroredRollout, RolloutRecord } from '@hermes/protocol';
import { makeTrial } from './_make-trial.ts';
import { recordTrial } from './_record-trial.ts';
import type { RunContext } from './_run-context.ts';
import type { OpenRun } from './_run-scope.ts';
import type { Item } from './environment.ts';
import type { RunOptions, Trial } from './run-options.ts';

/** A group that is to be played: some attempts at one item. */
export type GroupPlan<Data> = Readonly<{
  groupId: string;
  /** Its number in the run, from 0. */
  index: number;
  item: Item<Data>;
  trials: readonly Trial<Data>[];
}>;

/**
 * How a group ended. complete: every member has its score. failed: a member could not be had, within
 * all its tries. cancelled: the run ended first.
 */
export type GroupEnd = Readonly<
  | { kind: 'complete'; records: readonly CompletedRollout[] }
  | { kind: 'failed'; records: readonly RolloutRecord[]; first: ErroredRollout }
  | { kind: 'cancelled'; records: readonly RolloutRecord[] }
>;

/** A group's place: its number, and which attempts at its item it holds. */
export type GroupPlace = Readonly<{ index: number; firstAttempt: number; size: number }>;

/** The group with its trials. The same run, item and place give the same trials after a restart. */
export function planGroup<Data>(
  options: RunOptions<Data>,
  runId: string,
  item: Item<Data>,
  { index, firstAttempt, size }: GroupPlace,
): GroupPlan<Data> {
  const groupId = `${runId}.group-${index}`;
  const trials = Array.from({ length: size }, (_, member) =>
    makeTrial(options, item, {
      index,
      attempt: firstAttempt + member,
      groupId,
      split: 'train',
    }),
  );
  return { groupId, index, item, trials };
}

/**
 * Plays all members at once, each in a free place for rollouts; who came first gets it first, so an
 * older group never waits for a younger one. Siblings of a failed member go on, but those that have
 * not begun are left out. known: records of an earlier process. A failing sink ends the whole run.
 */
export async function playGroup<Data>(
  { context, signal, abort }: OpenRun<Data>,
  plan: GroupPlan<Data>,
  known: ReadonlyMap<string, RolloutRecord>,
): Promise<GroupEnd> {
  const records: RolloutRecord[] = [];
  const playMember = async (trial: Trial<Data>) => {
    const isHopeless = records.some(isFailed) && !signal.aborted;
    const record = isHopeless ? null : await playOne(context, trial, known, abort);
    if (record !== null) records.push(record);
  };
  const { rollouts } = context.limiters;
  const notStarted = () => undefined; // cancelled while it waited: nothing of it exists
  await Promise.all(
    plan.trials.map((trial) => rollouts.run(() => playMember(trial), signal).catch(notStarted)),
  );
  return endOf(plan, records);
}

async function playOne<Data>(
  context: RunContext<Data>,
  trial: Trial<Data>,
  known: ReadonlyMap<string, RolloutRecord>,
  abort: (reason: unknown) => void,
): Promise<RolloutRecord | null> {
  const before = known.get(trial.trialKey);
  if (before !== undefined) return before;
  try {
    return await recordTrial(context, trial);
  } catch (error) {
    abort(error);
    return null;
  }
}

function endOf(plan: GroupPlan<unknown>, records: readonly RolloutRecord[]): GroupEnd {
  const ordered = records.toSorted((a, b) => a.identity.attempt - b.identity.attempt);
  const first = ordered.find(isFailed);
  if (first !== undefined) return { kind: 'failed', records: ordered, first };
  const completed = ordered.filter((record) => record.status === 'completed');
  if (completed.length < plan.trials.length) return { kind: 'cancelled', records: ordered };
  return { kind: 'complete', records: completed };
}

/** A cancelled member says nothing about its group: a resume plays it again. */
function isFailed(record: RolloutRecord): record is ErroredRollout {
  return record.status === 'errored' && record.errored.reason !== 'cancelled';
}
