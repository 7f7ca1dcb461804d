import type { OpenRun } from '../_run-scope.ts';
import type { RunSummary } from '../run-events.ts';
import { isDue } from './_groups-wanted.ts';
import type { EvaluationRules } from './serve-rules.ts';

const LIMIT_RATIO = 0.5;

/** The evaluations in the course of a training. */
export type Evaluations = Readonly<{
  /** Begins one when it is due, and none beside another. */
  look: (stepBefore: number, stepNow: number) => void;
  /** How many of `limit` groups may be under way now. */
  limit: (limit: number) => number;
  counts: () => Readonly<{ evaluations: number; evaluationsFailed: number }>;
  /** Ends when the running one has ended; the run's signal makes it hurry. */
  close: () => Promise<void>;
}>;

/** onEnd: told of every evaluation that came to its end. */
export function openEvaluations(
  rules: EvaluationRules | undefined,
  { context, signal }: OpenRun<unknown>,
  onEnd: (summary: RunSummary | null, step: number) => void,
): Evaluations {
  const { logger } = context.effects;
  const counts = { evaluations: 0, evaluationsFailed: 0 };
  let running: Promise<void> | null = null;
  const run = async (evaluation: EvaluationRules, step: number) => {
    try {
      const summary = await evaluation.run(signal);
      counts.evaluations += 1;
      onEnd(summary, step);
    } catch (error) {
      counts.evaluationsFailed += 1;
      logger.log('error', `The evaluation at step ${step} failed: ${String(error)}`);
      onEnd(null, step);
    } finally {
      running = null;
    }
  };
  return {
    look: (before, now) => {
      if (rules === undefined || !isDue(before, now, rules.everySteps)) return;
      if (running === null) running = run(rules, now);
      else logger.log('warn', `The evaluation before step ${now} still runs: that one is left out`);
    },
    limit: (limit) => {
      if (running === null || rules === undefined || rules.handling === 'none') return limit;
      return rules.handling === 'stop_train'
        ? 0
        : Math.floor(limit * (rules.limitRatio ?? LIMIT_RATIO));
    },
    counts: () => counts,
    close: async () => {
      await running;
    },
  };
}
