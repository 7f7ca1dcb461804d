import type { SchedulerLimits } from '@hermes/env-core';
import type { OpenedRun } from '../open-run.ts';

type Limits = Partial<SchedulerLimits>;

/** `--concurrency` where it is given, else the original's count of groups at once; without either the default of every run. */
export function processScheduler({ config, options }: OpenedRun): Limits {
  const { maxWorkers, groupSize } = config.training;
  if (config.env.concurrency !== null || maxWorkers === null) return options.scheduler ?? {};
  return { ...options.scheduler, rollouts: maxWorkers * groupSize };
}

/** Places for all members of all groups that may be under way at once. */
export function serveScheduler(run: OpenedRun): Limits {
  const { config, options } = run;
  if (config.env.concurrency !== null) return options.scheduler ?? {};
  return { ...options.scheduler, rollouts: groupsAtOnce(run) * config.training.groupSize };
}

/** As the original counts them: so many for each model server, unless a number is given. */
export function groupsAtOnce({ config }: OpenedRun): number {
  const { maxWorkers, maxWorkersPerNode } = config.training;
  return maxWorkers ?? maxWorkersPerNode * config.servers.length;
}
