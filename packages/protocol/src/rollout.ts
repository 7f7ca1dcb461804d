import type { AgentResult } from './agent-result.ts';
import type { Instant } from './effects.ts';
import type { ErrorInfo } from './errors.ts';
import type { JsonObject } from './json.ts';
import type { Sampling, Usage } from './model.ts';
import type { SandboxReport } from './sandbox-report.ts';
import type { TokenSegment } from './tokens.ts';

/** The stable part: same identity = same trial, across restarts and machines. trialKey = sha256 hex of its canonical JSON (sorted keys). Nothing volatile may enter. */
export type TrialIdentity = Readonly<{
  environment: Readonly<{ id: string; version: string; configDigest: string }>;
  datasetRevision: string;
  itemId: string;
  model: Readonly<{ provider: string; modelId: string }>;
  sampling: Sampling;
  attempt: number;
}>; // attempt: 0-based
export type Seeds = Readonly<{ run: number; rollout: number }>;
/** reason = who is to blame. timeout = only the rollout's own deadline or queue; an agent's time-out is no error. */
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
  cancelled: 'run_cancelled' | 'interrupted' | 'group_dropped'; // interrupted: found started but unfinished by a resume
  environment:
    | 'item_invalid'
    | 'prompt_failed'
    | 'setup_failed'
    | 'command_missing'
    | 'path_unavailable'
    | 'solution_missing'
    | 'internal';
}>;
export type ErroredReason = keyof ErroredCauses;
export type Errored = {
  [R in ErroredReason]: Readonly<{ reason: R; cause: ErroredCauses[R]; error: ErrorInfo }>;
}[ErroredReason];
/** rewards: all keys of a multi-key reward, finite; reward: the primary one. resolved: always a boolean (observations C3). details: which file, CTRF, stdout tail. */
export type Reward = Readonly<{
  reward: number;
  rewards: Readonly<Record<string, number>>;
  resolved: boolean;
  details?: JsonObject;
}>;
export type RolloutBase = Readonly<{
  v: 1;
  runId: string;
  rolloutId: string;
  trialKey: string;
  identity: TrialIdentity;
  groupId: string | null;
  itemIndex: number;
  tags: Readonly<Record<string, string>>;
  split: 'train' | 'eval';
  agent: AgentResult | null; // null = the agent never started. agent.messages are the rollout's messages
  agentTimedOut: boolean; // the agent's own time was over; the verifier ran all the same
  segments: readonly TokenSegment[];
  trainable: boolean; // trainable: >= 1 segment, all from an engine
  toolsets: readonly string[];
  usage: Usage;
  costUsd: number | null;
  timings: RolloutTimings;
  tries: readonly RolloutTry[]; // earlier tries of this trial, oldest first; their full records are kept apart
  sandboxes: readonly SandboxReport[];
  seeds: Seeds;
  versions: Readonly<Record<string, string>>; // packages, node, dataset, image digests, weights
  marks: readonly string[];
}>; // 'verifier_shim', 'timeout_override', 'template_drops_tools': shown wherever the result is
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
export type RolloutTry = Readonly<{
  rolloutId: string;
  errored: Errored;
  usage: Usage;
  costUsd: number | null;
  durationMs: number;
}>;
export type CompletedRollout = RolloutBase & Readonly<{ status: 'completed'; reward: Reward }>;
export type ErroredRollout = RolloutBase & Readonly<{ status: 'errored'; errored: Errored }>;
export type RolloutRecord = CompletedRollout | ErroredRollout;
