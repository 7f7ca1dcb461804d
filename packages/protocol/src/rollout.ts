import type { AgentResult } from './agent-result.ts';
import type { Instant } from './effects.ts';
import type { ErrorInfo } from './errors.ts';
import type { JsonObject } from './json.ts';
import type { Sampling, Usage } from './model.ts';
import type { SandboxReport } from './sandbox-report.ts';
import type { TokenSegment } from './tokens.ts';

/**
 * The stable part of a trial: the same identity is the same trial, across restarts and machines.
 * `trialKey` is the sha256 (hexadecimal) of its canonical JSON (sorted keys). Nothing volatile may
 * enter: no port, no key, no time.
 */
export type TrialIdentity = Readonly<{
  environment: Readonly<{ id: string; version: string; configDigest: string }>;
  datasetRevision: string;
  itemId: string;
  model: Readonly<{ provider: string; modelId: string }>;
  sampling: Sampling;
  /** 0-based: the k-th sample of the item. */
  attempt: number;
}>;

/** Where the chance of a rollout came from. */
export type Seeds = Readonly<{ run: number; rollout: number }>;

/**
 * Who is to blame when a rollout could not be scored, and for what. `timeout` is only the rollout's
 * own deadline or queue: an agent's time-out is no error.
 */
export type ErroredCauses = Readonly<{
  model:
    | 'model_auth'
    | 'model_rate_limit'
    | 'model_unreachable'
    | 'model_timeout'
    | 'model_bad_request'
    | 'model_server'
    | 'model_stream_cut'
    | 'model_bad_response'
    | 'tokens_invalid'
    | 'tokens_missing';
  sandbox:
    | 'image_pull'
    | 'image_build'
    | 'env_start_timeout'
    | 'env_network'
    | 'sandbox_capacity'
    | 'sandbox_quota'
    | 'sandbox_auth'
    | 'sandbox_unsupported'
    | 'sandbox_lost'
    | 'sandbox_oom'
    | 'disk_full';
  verifier:
    | 'tests_upload'
    | 'verifier_setup'
    | 'verifier_crashed'
    | 'verifier_timeout'
    | 'verifier_download'
    | 'reward_missing'
    | 'reward_empty'
    | 'reward_unparsable'
    | 'reward_threw';
  timeout: 'rollout_deadline' | 'queue_timeout';
  /** `interrupted`: found started but unfinished by a resume. */
  cancelled: 'run_cancelled' | 'interrupted' | 'group_dropped';
  environment:
    | 'item_invalid'
    | 'prompt_failed'
    | 'setup_failed'
    | 'command_missing'
    | 'path_unavailable'
    | 'solution_missing'
    | 'internal';
}>;

/** Who is to blame. */
export type ErroredReason = keyof ErroredCauses;

/** A rollout without a score: who, what, and the error itself. Each reason only with its own causes. */
export type Errored = {
  [R in ErroredReason]: Readonly<{ reason: R; cause: ErroredCauses[R]; error: ErrorInfo }>;
}[ErroredReason];

/** A score. */
export type Reward = Readonly<{
  /** The primary one, finite. */
  reward: number;
  /** All keys of a reward that has several, finite. */
  rewards: Readonly<Record<string, number>>;
  resolved: boolean;
  /** Which file it came from, test reports, the end of the verifier's output. */
  details?: JsonObject;
}>;

/** What every rollout leaves, scored or not. */
export type RolloutBase = Readonly<{
  v: 1;
  runId: string;
  /** New for every try. */
  rolloutId: string;
  trialKey: string;
  identity: TrialIdentity;
  /** null = the rollout is in no group. */
  groupId: string | null;
  itemIndex: number;
  tags: Readonly<Record<string, string>>;
  split: 'train' | 'eval';
  /** null = the agent never started. Its messages are the rollout's messages. */
  agent: AgentResult | null;
  /** The agent's own time was over; the verifier ran all the same. */
  agentTimedOut: boolean;
  segments: readonly TokenSegment[];
  /** True: at least one segment, all from an engine. */
  trainable: boolean;
  toolsets: readonly string[];
  usage: Usage;
  /** In US dollars; null = not known. */
  costUsd: number | null;
  timings: RolloutTimings;
  /** Earlier tries of this trial, oldest first; their full records are kept apart. */
  tries: readonly RolloutTry[];
  sandboxes: readonly SandboxReport[];
  seeds: Seeds;
  /** Packages, node, dataset, image digests, weights. */
  versions: Readonly<Record<string, string>>;
  /** What to show wherever the result is shown: `verifier_shim`, `timeout_override`, ... */
  marks: readonly string[];
}>;

/** Where the time of a rollout went, in milliseconds. */
export type RolloutTimings = Readonly<{
  startedAt: Instant;
  endedAt: Instant;
  queuedMs: number;
  sandboxMs: number;
  setupMs: number;
  agentMs: number;
  verifyMs: number;
  disposeMs: number;
  rateLimitMs: number;
}>;

/** An earlier try of the same trial: ended by an infrastructure failure, or scored and made again because somebody asked for it. */
export type RolloutTry = Readonly<{
  rolloutId: string;
  usage: Usage;
  costUsd: number | null;
  durationMs: number;
}> &
  Readonly<{ errored: Errored; reward?: undefined } | { errored: null; reward: number }>;

/** A rollout with a score. */
export type CompletedRollout = RolloutBase & Readonly<{ status: 'completed'; reward: Reward }>;

/** A rollout that could not be scored. */
export type ErroredRollout = RolloutBase & Readonly<{ status: 'errored'; errored: Errored }>;

/** The one noun that sinks, metrics, reports and trainers pass on. */
export type RolloutRecord = CompletedRollout | ErroredRollout;
