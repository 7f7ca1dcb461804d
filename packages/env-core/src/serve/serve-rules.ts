import type { ScoredGroup, TrainerSink } from '@hermes/protocol';
import type { ProcessRules } from '../process-rules.ts';
import type { RunSummary } from '../run-events.ts';
import type { TrainingReportRules } from '../training-report-rules.ts';

/** What a trainer is fed with. */
export type GroupRules = Readonly<{
  /** Attempts at an item; the trainer compares them with each other. */
  size: number;
  /** How the trainer shall call this environment; it adds a number. */
  name: string;
  /** This environment's part of the trainer's data, beside others. Default 1. */
  weight?: number;
  /** Least share of a batch, from 0 to 1. Default: none. */
  minBatchShare?: number;
  /** What the environment says of its longest answer when it registers. Default 2048. */
  maxTokens?: number;
  /** Skip groups of several whose scores are all the same: they teach nothing. Default true. */
  dropSameScores?: boolean;
  /** Which token segment of a rollout that has several goes to the trainer. Default `last`. */
  segments?: 'last' | 'longest';
  /** Send the messages too. Default false. */
  includeMessages?: boolean;
  /** How many batches may lie at the trainer before this environment pauses; 0 = as many as come. Default 3. */
  maxBatchesOffPolicy?: number;
  /** Sequences in a batch, for a trainer that does not say. Default: what it says. */
  batchSize?: number;
  /** Groups under way at once. Default: as many as fill the places for rollouts. */
  workers?: number;
  /** The run ends at this step. Default: what the trainer says; without either it has no end. */
  totalSteps?: number;
}>;

/** When to evaluate. run: one whole evaluation; its failure is logged and counted, and the training goes on. */
export type EvaluationRules = Readonly<{
  /** 0: never. */
  everySteps: number;
  /** stop_train: no new groups meanwhile. limit_train: fewer. none: as ever. */
  handling: 'stop_train' | 'limit_train' | 'none';
  /** Share of the groups at once under `limit_train`. Default 0.5. */
  limitRatio?: number;
  run: (signal: AbortSignal) => Promise<RunSummary>;
}>;

/** What `serve` needs beside the options of every run. */
export type ServeRules = Readonly<{
  trainer: TrainerSink;
  group: GroupRules;
  evaluation?: EvaluationRules;
  /** Writes every group down before it is sent, for example the `write` of a training file. After a crash or a lost trainer one may come again. */
  write?: ProcessRules['write'];
  /** Called with a group that the trainer will never take, after it was kept in the run directory. A rejection ends the run. */
  onRefused?: (group: ScoredGroup, reason: string) => Promise<void>;
  /** Called with every group that the trainer has taken. A rejection ends the run. */
  onSent?: (group: ScoredGroup) => Promise<void>;
  report?: TrainingReportRules;
  /** How long to wait for a trainer, at the start and after it was lost. Default: without end. */
  waitForTrainerMs?: number;
  /** For one answer of the trainer, tries of its client included. Default 120,000. */
  trainerTimeoutMs?: number;
  /** Between two looks at the trainer while nothing happens here. Default 1000. */
  pollMs?: number;
}>;

/** What became of the groups of a run. reasons: `same_scores`, `size`, `too_long`, `not_answered`, `environment`, or why a member could not be had. */
export type ServeCounts = Readonly<{
  sent: number;
  skipped: Readonly<Record<string, number>>;
  refused: Readonly<Record<string, number>>;
  /** Sequences that were cut to the trainer's limit. */
  truncated: number;
  /** Token segments of sent rollouts that were not sent. */
  segmentsLeftOut: number;
  /** How often the trainer was lost and found again. */
  trainerLost: number;
  evaluations: number;
  evaluationsFailed: number;
}>;

/** The result of `serve`. step: the trainer's, as last heard. */
export type ServeSummary = RunSummary & Readonly<{ groups: ServeCounts; step: number }>;
