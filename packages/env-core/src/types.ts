import type {
  AgentResult,
  ChatModel,
  CompletedRollout,
  Effects,
  Errored,
  ErroredCauses,
  JsonObject,
  Limiter,
  Message,
  MetricSink,
  Random,
  Reward,
  RolloutEvent,
  RolloutRecord,
  Sampling,
  ScoredGroup,
  Seeds,
  Toolset,
  TrainerSink,
  TrialIdentity,
  Usage,
} from '@hermes/protocol';
import type {
  AgentLimits,
  AgentLoopOptions,
  ContextPolicy,
  SubagentPolicy,
} from '@hermes/agent-loop';
import type { Capabilities, SandboxProvider, SandboxSpec } from '@hermes/sandbox';
import type { ToolContext, ToolLimits, ToolResources } from '@hermes/tools';
// -- what an author writes
/** Standard Schema v1: a `z.strictObject({...})` fits as it is, and no zod type shows in our surface. */
export type ConfigSchema<Config> = Readonly<{
  '~standard': Readonly<{
    version: 1;
    vendor: string;
    validate: (value: unknown) => SchemaResult<Config> | Promise<SchemaResult<Config>>;
    types?: Readonly<{ input: unknown; output: Config }> | undefined;
  }>;
}>;
export type SchemaResult<T> =
  | Readonly<{ value: T; issues?: undefined }>
  | {
      readonly issues: readonly Readonly<{
        message: string;
        path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
      }>[];
    };
/** What a package exports. open: may read data sets; throws CONFIG or DATA errors. version: changes whenever a score may change. */
export interface EnvironmentDefinition<Config = unknown, Data = unknown> {
  readonly id: string;
  readonly version: string;
  readonly description: string;
  readonly config: ConfigSchema<Config>;
  open(
    config: Config,
    context: Readonly<{
      effects: Effects;
      signal: AbortSignal;
      judge: ChatModel | null;
      variables?: Readonly<Record<string, string | undefined>>; // the host's environment, for ${VAR} in a data set; absent: none
    }>,
  ): Promise<Environment<Data>>;
}
export type Item<Data> = Readonly<{
  id: string;
  data: Data;
  tags?: Readonly<Record<string, string>>;
}>; // id: stable, unique; tags: for filters and tables
/** Methods get all they need by argument and keep nothing per rollout. A throw is errored `environment`, from computeReward `verifier` / reward_threw;
 *  a SandboxError or ModelError that comes through keeps its own reason (sandbox_lost, not the author's fault). */
export interface Environment<Data = unknown> {
  readonly datasetRevision: string; // commit or content digest; part of the trial key
  readonly toolsets: readonly Toolset<ToolResources>[]; // what the configuration may narrow; [] = a plain chat
  items(
    query: Readonly<{ split: 'train' | 'eval'; start: number; random: Random }>,
  ): AsyncIterable<Item<Data>>; // start: data position of a checkpoint
  prompt(item: Item<Data>): readonly Message[] | Promise<readonly Message[]>;
  sandbox?(item: Item<Data>, capabilities: Capabilities): SandboxNeeds | null; // absent or null: no sandbox. capabilities: the provider's, as its preflight proved them. A thrown HermesError refuses the item before a token is spent: SandboxError UNSUPPORTED is sandbox_unsupported, code PATH_UNAVAILABLE or ITEM_INVALID is that cause of `environment`
  verifierSandbox?(item: Item<Data>): SandboxNeeds | null; // absent or null: the verifier works in the agent's sandbox
  limits?(item: Item<Data>): TrialLimits; // the row's own; win over the configuration's defaults
  setupWorkspace?(item: Item<Data>, tools: ToolContext, signal: AbortSignal): Promise<void>;
  computeReward(
    item: Item<Data>,
    result: AgentResult,
    tools: ToolContext,
    signal: AbortSignal,
  ): Promise<Verdict>; // also after an agent time-out
  solution?(item: Item<Data>): Promise<Solution | null>; // null: this item has none (solution_missing under oracle)
  aggregate?(records: readonly RolloutRecord[]): Readonly<Record<string, number>>; // own metrics beside the common ones
  finishGroup?(
    records: readonly CompletedRollout[],
    group: ScoredGroup,
  ): Promise<ScoredGroup | null>; // advantages, distillation; null = drop the group
  itemFrom?(row: JsonObject): Item<Data>; // for doors whose task comes from outside (Gym's row, POST /rollouts); throws CONFIG
  close?(): Promise<void>;
}
export type SandboxNeeds = Omit<SandboxSpec, 'labels' | 'idempotencyKey' | 'lifetimeMs'> &
  Readonly<{
    lifetimeMs?: number;
    commands?: readonly string[];
    capabilities?: Partial<Capabilities>;
    marks?: readonly string[]; // go onto the record, for example image_not_used
  }>; // checked before a token is spent: command_missing, sandbox_unsupported
export type TrialLimits = Readonly<{
  agent?: AgentLimits;
  startMs?: number;
  setupMs?: number;
  verifyMs?: number;
  rolloutMs?: number;
}>; // 600 s, 600 s, 600 s, none
/** number n = reward n, resolved n >= 1. could_not_score: a value, never 0. */
export type Verdict =
  | number
  | ({ readonly kind: 'reward'; readonly marks?: readonly string[] } & Reward) // marks: go onto the record, for example reward_mean
  | Readonly<{
      kind: 'could_not_score';
      cause: ErroredCauses['verifier'] | ErroredCauses['environment'];
      message: string;
      details?: JsonObject;
    }>;
export type Solution = Readonly<{
  turns: readonly Readonly<{
    content: string;
    calls: readonly Readonly<{ name: string; arguments: JsonObject }>[];
  }>[];
}>; // played one turn a model call; the last has no calls
// -- running
/** Called once a try; the runner closes the model. May throw ModelError: errored `model`. */
export type OpenModel = (rollout: OpenModelRequest) => ChatModel | Promise<ChatModel>;
export interface OpenModelRequest {
  readonly rolloutId: string;
  readonly identity: TrialIdentity;
  readonly seeds: Seeds;
  readonly split: 'train' | 'eval';
  readonly signal: AbortSignal;
  solution(): Promise<Solution | null>;
}
/** Plays a recorded rollout's answers again; from `turn` on, the live model goes on. */
export type RunOptions<Data> = Readonly<{
  definition: Readonly<{ id: string; version: string; configDigest: string }>;
  environment: Environment<Data>;
  model: Readonly<{ provider: string; modelId: string; open: OpenModel }>;
  sandboxes: SandboxProvider | null; // null and a sandbox is needed: CONFIG
  toolsets?: (
    group: Readonly<{ index: number; random: Random }>,
  ) => readonly Toolset<ToolResources>[]; // default environment.toolsets
  sampling: Sampling;
  extraBody?: JsonObject;
  templateArguments?: JsonObject;
  parseFallback?: AgentLoopOptions['parseFallback'];
  limits?: TrialLimits;
  toolLimits?: ToolLimits;
  context?: () => ContextPolicy;
  subagents?: SubagentPolicy;
  seed?: number;
  scheduler?: Partial<SchedulerLimits>;
  retry?: Partial<RetryPolicy>;
  prices?: PriceTable;
  sinks: readonly RolloutSink[];
  directory?: RunDirectory;
  metrics?: readonly MetricSink[];
  effects?: Partial<Effects>;
  signal?: AbortSignal;
}>;
/** Limits apart; each is a Limiter. rollouts 4, sandboxCreates 4, modelCalls 512 (lowered on 429, recovers), verifiers = rollouts, toolCalls 128. */
export type SchedulerLimits = Readonly<{
  rollouts: number;
  sandboxCreates: number;
  modelCalls: number;
  verifiers: number;
  toolCalls: number;
}>;
/** maxTries 3; on: model, sandbox and retryable causes; delayMs: exponential with jitter, Retry-After wins. */
export type RetryPolicy = Readonly<{
  maxTries: number;
  on: (errored: Errored) => boolean;
  delayMs: (tryNumber: number, errored: Errored) => number;
}>;
/** USD per million tokens. cached null = unknown: a usage with cached tokens then costs null. An unpriced model costs null. */
export interface PriceTable {
  price(
    modelId: string,
  ): Readonly<{
    input: number;
    output: number;
    cached: number | null;
    cacheWrite: number | null;
  }> | null;
}
export type Trial<Data> = Readonly<{
  identity: TrialIdentity;
  trialKey: string;
  item: Item<Data>;
  itemIndex: number;
  groupId: string | null;
  seeds: Seeds;
  split: 'train' | 'eval';
}>;
export type ProcessRules = Readonly<{
  groups: number;
  groupSize: number;
  keep?: (record: RolloutRecord) => boolean;
  write: (records: readonly RolloutRecord[]) => Promise<void>;
}>;
export type ServeRules = Readonly<{
  trainer: TrainerSink;
  group: GroupRules;
  evaluation?: EvaluationRules;
  onRefused: (group: ScoredGroup, reason: string) => Promise<void>;
}>;
export type GroupRules = Readonly<{
  size: number;
  name: string;
  weight?: number;
  maxTokens?: number;
  dropSameScores?: boolean;
  segments?: 'last' | 'longest';
  maxBatchesOffPolicy?: number;
  totalSteps?: number;
}>; // weight 1, dropSameScores true, last, 3
export type EvaluationRules = Readonly<{
  everySteps: number;
  handling: 'stop_train' | 'limit_train' | 'none';
  limitRatio?: number;
  run: (signal: AbortSignal) => Promise<RunSummary>;
}>; // 0.5
export type ItemFilter = Readonly<{
  include?: readonly string[];
  exclude?: readonly string[];
  tags?: Readonly<Record<string, string>>;
  first?: number;
  shuffle?: boolean;
}>; // globs
/** record: durable when it resolves; a rejecting sink fails the run, not the rollout. event: synchronous, must not throw. run: progress of the whole. */
export interface RolloutSink {
  record?(record: RolloutRecord): Promise<void>;
  event?(event: RolloutEvent): void;
  run?(event: RunEvent): void;
  close?(): Promise<void>;
}
export type RunEvent = Readonly<
  | { type: 'run_start'; runId: string; planned: number; resumed: number; keptErrored: number }
  | { type: 'trial_queued' | 'trial_start'; trialKey: string; itemId: string; attempt: number }
  | { type: 'trial_retry'; trialKey: string; errored: Errored; delayMs: number }
  | {
      type: 'trial_end';
      trialKey: string;
      outcome: 'passed' | 'failed' | 'errored';
      reward: number | null;
    }
  | {
      type: 'group_end';
      groupId: string;
      outcome: 'sent' | 'skipped' | 'refused';
      reason: string | null;
    }
  | { type: 'run_end'; summary: RunSummary }
>;
/** passed = completed and resolved; failed = completed and not; errored apart. scoreValid: mean over completed; scorePlanned: over all planned, errored as 0, marked so. null = nothing to divide by. */
export type RunSummary = Readonly<{
  runId: string;
  environment: string;
  total: number;
  passed: number;
  failed: number;
  errored: number;
  scoreValid: number | null;
  scorePlanned: number | null;
  interval: Readonly<{ low: number; high: number; method: 'wilson' | 'bootstrap' }> | null;
  passAtK: Readonly<Record<string, number>>;
  passHatK: Readonly<Record<string, number>>;
  erroredBy: Readonly<Record<string, number>>;
  agentTimedOut: number;
  usage: Usage;
  costUsd: number | null;
  unpriced: number;
  wallMs: number;
  metrics: Readonly<Record<string, number>>;
  comparable: boolean;
  marks: readonly string[];
  interrupted: boolean;
}>;
/** One writer (lock file). A trial is finished when its line is in records.jsonl; started without a line = interrupted, run again as a new try.
 *    run.json        configuration (secrets redacted), seed, versions, plan digest, argv     summary.json     rebuilt from records.jsonl at any time
 *    records.jsonl   the final record of each trial, one line, fsynced                       tries.jsonl      records of tries that were retried
 *    started.jsonl   {trialKey, rolloutId, wallMs} before a try                              events/<rolloutId>.jsonl   events without deltas
 *    artifacts/<rolloutId>/   verifier output, collected files                               groups.jsonl, refused.jsonl, position.json (process, serve) */
export interface RunDirectory extends RolloutSink {
  readonly path: string;
  readonly runId: string;
  finished(): ReadonlyMap<string, RolloutRecord>;
  started(trial: Trial<unknown>, rolloutId: string): Promise<void>;
  artifacts(rolloutId: string): string;
}
/** CONFIG when it exists without resume, or was made by another plan (says what differs). retry: which finished ones run again; default: those errored by `cancelled`. */
