import { type EvaluationRules, evaluate, type RunOptions, type ServeRules } from '@hermes/env-core';
import type { CliContext } from '../context.ts';
import type { OpenedRun } from '../open-run.ts';
import { reportRules } from '../tracking/report-rules.ts';
import { groupsAtOnce, serveScheduler } from './scheduler.ts';
import type { ServeFlags } from './serve-flags.ts';

type Options = RunOptions<unknown> & Omit<ServeRules, 'trainer'>;

/** What the configuration and the flags make of a run that feeds a trainer. */
export function serveOptions(run: OpenedRun, flags: ServeFlags, context: CliContext): Options {
  const { training, env } = run.config;
  const rolloutMs = env.rolloutTimeoutMs ?? training.workerTimeoutMs;
  return {
    ...run.options,
    limits: { ...run.options.limits, ...(rolloutMs === null ? {} : { rolloutMs }) },
    scheduler: serveScheduler(run),
    group: groupRules(run, flags),
    evaluation: evaluationRules(run, flags, context),
    report: { ...reportRules(run), minGroups: training.minGroupsBeforeReport },
    ...(flags.waitForTrainer === undefined
      ? {}
      : { waitForTrainerMs: flags.waitForTrainer * 1000 }),
  };
}

function groupRules(run: OpenedRun, { name, segments }: ServeFlags): ServeRules['group'] {
  const { config, definition } = run;
  const { training, env, tracking } = config;
  return {
    size: training.groupSize,
    name: name ?? tracking.runName ?? definition.id,
    weight: training.inferenceWeight,
    dropSameScores: training.dropSameScores,
    includeMessages: training.includeMessages,
    maxBatchesOffPolicy: training.maxBatchesOffPolicy,
    ...(env.maxTokenLength === null ? {} : { maxTokens: env.maxTokenLength }),
    ...(training.minBatchShare === null ? {} : { minBatchShare: training.minBatchShare }),
    ...(training.batchSize === null ? {} : { batchSize: training.batchSize }),
    ...(training.totalSteps === null ? {} : { totalSteps: training.totalSteps }),
    ...(env.concurrency === null ? { workers: groupsAtOnce(run) } : {}),
    ...(segments === undefined ? {} : { segments }),
  };
}

/** Every evaluation goes through the items for evaluation once, and tells what came of it. */
function evaluationRules(
  { config, options }: OpenedRun,
  { evalLimit, json }: ServeFlags,
  { stdout }: CliContext,
): EvaluationRules {
  const { training } = config;
  const filter = evalLimit === undefined ? {} : { first: evalLimit };
  const scheduler = { ...options.scheduler, rollouts: training.maxEvalWorkers };
  return {
    everySteps: training.stepsPerEval,
    handling: training.evalHandling,
    limitRatio: training.evalLimitRatio,
    run: async (signal) => {
      const summary = await evaluate({ ...options, attempts: 1, filter, scheduler, signal });
      const { passed, failed, errored } = summary;
      const line =
        json === true
          ? JSON.stringify({ type: 'evaluation', summary })
          : `EVAL    ${passed} passed, ${failed} failed, ${errored} errored`;
      stdout.write(`${line}\n`);
      return summary;
    },
  };
}
