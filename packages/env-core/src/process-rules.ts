import type { CompletedRollout, ToolSchema } from '@hermes/protocol';
import type { RunSummary } from './run-events.ts';
import type { ItemFilter } from './run-options.ts';
import type { TrainingReportRules } from './training-report-rules.ts';

/** One finished member of a group: its record, and the tools that its model was offered. */
export type GroupMember = Readonly<{ record: CompletedRollout; tools: readonly ToolSchema[] }>;

/** A group whose members all have a score, on its way into a file. */
export type FinishedGroup = Readonly<{
  groupId: string;
  /** Its number in the run, from 0. */
  index: number;
  itemId: string;
  /** What was drawn for the group, or all of the environment's. */
  toolsets: readonly string[];
  /** Without those that `keep` left out; never empty. */
  members: readonly GroupMember[];
}>;

/** What `processRollouts` needs beside the options of every run. */
export type ProcessRules = Readonly<{
  /** How many items are played, one group each. Default: all that the filter lets through. */
  groups?: number;
  /** Attempts at an item. Default 1. */
  groupSize?: number;
  filter?: Omit<ItemFilter, 'first'>;
  /** Which trajectories are wanted; a group of which none is left is skipped as `filtered`. Default: all. */
  keep?: (record: CompletedRollout) => boolean;
  /**
   * Takes the groups, in the order of their items; durable when it resolves. The next call may come
   * before that, so that several can share what makes them durable. After a crash the last groups may
   * come once more: what is there already must not be written twice. A rejection ends the run.
   */
  write: (group: FinishedGroup) => Promise<void>;
  /** After so many groups that could not be had the run ends with an error. Default 50. */
  maxFailedGroups?: number;
  /** What the metric sinks of the run are told of the groups. */
  report?: TrainingReportRules;
}>;

/** What became of the groups. */
export type GroupCounts = Readonly<{
  planned: number;
  written: number;
  /** By reason: `filtered`, or why a member could not be had (`model/model_timeout`). */
  skipped: Readonly<Record<string, number>>;
}>;

/** The result of `processRollouts`. */
export type ProcessSummary = RunSummary & Readonly<{ groups: GroupCounts }>;
