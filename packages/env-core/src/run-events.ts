import type {
  Errored,
  ErroredReason,
  ErroredRollout,
  RolloutEvent,
  RolloutRecord,
  Usage,
} from '@hermes/protocol';

/** Receives what a run makes. The caller that made a sink closes it. */
export interface RolloutSink {
  /** The final record of a trial; durable when it resolves. A rejecting sink fails the run, not the rollout. */
  record?(record: RolloutRecord): Promise<void>;
  /** The record of a try that will be made again; the same rules as for `record`. */
  tried?(record: ErroredRollout): Promise<void>;
  /** Synchronous; must not throw (a throw is logged and the rollout goes on). */
  event?(event: RolloutEvent): void;
  /** Progress of the whole; as `event`. */
  run?(event: RunEvent): void;
  close?(): Promise<void>;
}

/** Why a trial has no score, in short; the record has the whole. */
export type TrialError = Readonly<{
  reason: ErroredReason;
  cause: Errored['cause'];
  message: string;
}>;

/** Progress of a run. trainer: of a run that feeds one. keptErrored: how many of the resumed ones stay errored. attempt: from 0. */
export type RunEvent = Readonly<
  | { type: 'run_start'; runId: string; planned: number; resumed: number; keptErrored: number }
  | { type: 'trial_queued' | 'trial_start'; trialKey: string; itemId: string; attempt: number }
  | { type: 'trial_retry'; trialKey: string; errored: Errored; delayMs: number }
  | {
      type: 'trial_end';
      trialKey: string;
      itemId: string;
      attempt: number;
      outcome: 'passed' | 'failed' | 'errored';
      /** null: errored. */
      reward: number | null;
      /** null: not errored. */
      errored: TrialError | null;
    }
  | {
      type: 'group_end';
      groupId: string;
      outcome: 'written' | 'sent' | 'skipped' | 'refused';
      reason: string | null;
    }
  | {
      type: 'trainer';
      /** waiting: there is none yet. lost: it is waited for again. step: it has made some. */
      state: 'waiting' | 'joined' | 'step' | 'lost';
      /** The trainer's; null: it has not said. */
      step: number | null;
      message: string;
    }
  | { type: 'run_end'; summary: RunSummary }
>;

/** The result of a run, made from its records alone. null = nothing to divide by, or not known. */
export type RunSummary = Readonly<{
  runId: string;
  environment: string;
  /** All planned trials; passed, failed and errored add up to less in an interrupted run. */
  total: number;
  /** Completed and resolved. */
  passed: number;
  /** Completed and not resolved. */
  failed: number;
  errored: number;
  /** Mean reward over completed trials. */
  scoreValid: number | null;
  /** Mean reward over all planned trials, an errored one counting 0. */
  scorePlanned: number | null;
  /** 95 % interval of scoreValid: Wilson for one 0/1 reward a task, and over tasks where all rewards are 0 or all are 1; else a seeded bootstrap over tasks. */
  interval: Readonly<{ low: number; high: number; method: 'wilson' | 'bootstrap' }> | null;
  /** By k, over tasks with at least k completed attempts: the chance that one of k passes. */
  passAtK: Readonly<Record<string, number>>;
  /** By k, as passAtK: the chance that all of k pass. */
  passHatK: Readonly<Record<string, number>>;
  /** Counts by `reason/cause`. */
  erroredBy: Readonly<Record<string, number>>;
  agentTimedOut: number;
  /** Sums over all tries; null where one of them is unknown. */
  usage: Usage;
  costUsd: number | null;
  /** Trials whose cost is not known. */
  unpriced: number;
  /** Time in which at least one trial was running. */
  wallMs: number;
  metrics: Readonly<Record<string, number>>;
  /** false when a mark says that the result differs from a plain run. */
  comparable: boolean;
  marks: readonly string[];
  interrupted: boolean;
}>;
