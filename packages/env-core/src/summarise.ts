import { addUsage, zeroUsage } from '@hermes/agent-loop';
import type { CompletedRollout, ErroredRollout, RolloutRecord, Usage } from '@hermes/protocol';
import { intervalOf } from './_interval.ts';
import { overTasks, passAtK, passHatK } from './_pass-at-k.ts';
import { addKnown } from './_usage.ts';
import type { RunSummary } from './run-events.ts';

/** What a summary needs beside the records. planned: all trials of the run. metrics: the environment's own. */
export type SummaryPlan = Readonly<{
  runId: string;
  environment: string;
  planned: number;
  seed: number;
  metrics?: Readonly<Record<string, number>>;
}>;

/** The result of a run from its records; the same records in any order give the same summary. */
export function summarise(records: readonly RolloutRecord[], plan: SummaryPlan): RunSummary {
  const completed = records.filter(isCompleted);
  const errored = records.filter((record) => record.status === 'errored');
  const passed = completed.filter((record) => record.reward.resolved).length;
  const marks = [...new Set(records.flatMap((record) => record.marks))].sort();
  const costs = records.map(costOf);
  const sum = sumOfRewards(completed);
  return {
    runId: plan.runId,
    environment: plan.environment,
    total: plan.planned,
    passed,
    failed: completed.length - passed,
    errored: errored.length,
    scoreValid: completed.length === 0 ? null : sum / completed.length,
    scorePlanned: plan.planned === 0 ? null : sum / plan.planned,
    interval: intervalOf(completed, plan.seed),
    passAtK: overTasks(completed, passAtK),
    passHatK: overTasks(completed, passHatK),
    erroredBy: countCauses(errored),
    agentTimedOut: records.filter((record) => record.agentTimedOut).length,
    usage: records.map(usageOf).reduce(addUsage, zeroUsage),
    costUsd: costs.reduce<number | null>(addKnown, 0),
    unpriced: costs.filter((cost) => cost === null).length,
    wallMs: busyMs(records),
    metrics: plan.metrics ?? {},
    comparable: marks.length === 0,
    marks,
    interrupted: records.length < plan.planned || errored.some(isCancelled),
  };
}

function isCompleted(record: RolloutRecord): record is CompletedRollout {
  return record.status === 'completed';
}

function isCancelled(record: ErroredRollout): boolean {
  return record.errored.reason === 'cancelled';
}

/** Smallest first: the sum does not depend on the order in which the trials ended. */
function sumOfRewards(completed: readonly CompletedRollout[]): number {
  const rewards = completed.map((record) => record.reward.reward).sort((a, b) => a - b);
  return rewards.reduce((sum, reward) => sum + reward, 0);
}

function countCauses(errored: readonly ErroredRollout[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { errored: why } of errored) {
    const name = `${why.reason}/${why.cause}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** All tries that came to an end. What an interrupted one used nobody knows, and it is left out. */
function usageOf(record: RolloutRecord): Usage {
  return endedTries(record)
    .map((one) => one.usage)
    .reduce(addUsage, record.usage);
}

function costOf(record: RolloutRecord): number | null {
  return endedTries(record)
    .map((one) => one.costUsd)
    .reduce(addKnown, record.costUsd);
}

function endedTries(record: RolloutRecord): RolloutRecord['tries'] {
  return record.tries.filter((one) => one.errored?.cause !== 'interrupted');
}

/** The time in which at least one trial ran: what lies between two sittings of a resumed run does not count. */
function busyMs(records: readonly RolloutRecord[]): number {
  const spans = records
    .map(({ timings }) => [timings.startedAt.wallMs, timings.endedAt.wallMs] as const)
    .sort(([a], [b]) => a - b);
  let busy = 0;
  let until = Number.NEGATIVE_INFINITY;
  for (const [start, end] of spans) {
    busy += Math.max(0, end - Math.max(start, until));
    until = Math.max(until, end);
  }
  return busy;
}
