import type { AgentLoopOptions, ContextPolicy, SubagentPolicy } from '@hermes/agent-loop';
import type {
  ChatModel,
  Effects,
  Errored,
  JsonObject,
  MetricSink,
  Random,
  Sampling,
  Seeds,
  Toolset,
  TrialIdentity,
} from '@hermes/protocol';
import type { SandboxProvider, SandboxSpec } from '@hermes/sandbox';
import type { ToolLimits, ToolResources } from '@hermes/tools';
import type { Environment, Item, Solution, TrialLimits } from './environment.ts';
import type { RunDirectory } from './run-directory.ts';
import type { RolloutSink } from './run-events.ts';

/** Called once a try; the runner closes the model. May throw ModelError: errored `model`. */
export interface OpenModel {
  (rollout: OpenModelRequest): ChatModel | Promise<ChatModel>;
  /** It plays the item's own solution: its commands are infrastructure, without the limits that bind a model. */
  readonly playsSolution?: boolean;
}

/** The rollout that a model is opened for. */
export interface OpenModelRequest {
  readonly rolloutId: string;
  readonly identity: TrialIdentity;
  readonly seeds: Seeds;
  readonly split: 'train' | 'eval';
  readonly signal: AbortSignal;
  /** The item's own solution; null = it has none. */
  solution(): Promise<Solution | null>;
}

/** Everything that a run is made of. Only definition, environment, model, sandboxes, sampling and sinks are needed. */
export type RunOptions<Data> = Readonly<{
  definition: Readonly<{ id: string; version: string; configDigest: string }>;
  environment: Environment<Data>;
  model: Readonly<{ provider: string; modelId: string; open: OpenModel }>;
  /** null: fine for environments without a sandbox, an error of boundary `config` for the others. */
  sandboxes: SandboxProvider | null;
  /** Idle time, lifetime, single limits and variables for items that do not say their own; mounts beside theirs. */
  sandboxDefaults?: Pick<
    Partial<SandboxSpec>,
    'idleMs' | 'lifetimeMs' | 'resources' | 'env' | 'mounts'
  >;
  /** Default: those of the environment. Called once a group of attempts. */
  toolsets?: (
    group: Readonly<{ index: number; random: Random }>,
  ) => readonly Toolset<ToolResources>[];
  sampling: Sampling;
  /** Goes before every prompt, in place of a system message that the environment may have put there. */
  systemPrompt?: string;
  extraBody?: JsonObject;
  templateArguments?: JsonObject;
  parseFallback?: AgentLoopOptions['parseFallback'];
  /** The name of what `parseFallback` reads; part of the plan. */
  parser?: string;
  limits?: TrialLimits;
  toolLimits?: ToolLimits;
  context?: () => ContextPolicy;
  subagents?: SubagentPolicy;
  /** Default 0. */
  seed?: number;
  scheduler?: Partial<SchedulerLimits>;
  retry?: Partial<RetryPolicy>;
  prices?: PriceTable;
  sinks: readonly RolloutSink[];
  directory?: RunDirectory;
  metrics?: readonly MetricSink[];
  /** Marks of every record of the run: what makes it differ from a plain one, such as `timeout_override`. */
  marks?: readonly string[];
  /** Go onto every record beside what the runner knows itself. */
  versions?: Readonly<Record<string, string>>;
  effects?: Partial<Effects>;
  signal?: AbortSignal;
}>;

/** How much may run at once, each limit apart. Defaults: rollouts 4, sandboxCreates 4, modelCalls 512, verifiers as rollouts, toolCalls 128. */
export type SchedulerLimits = Readonly<{
  rollouts: number;
  sandboxCreates: number;
  modelCalls: number;
  verifiers: number;
  toolCalls: number;
}>;

/** When an errored try is made again. Defaults: maxTries 3; on: model, sandbox and whatever says it is retryable; delayMs: exponential with jitter, a server's Retry-After wins. */
export type RetryPolicy = Readonly<{
  maxTries: number;
  on: (errored: Errored) => boolean;
  /** tryNumber: of the try that just failed, from 1. */
  delayMs: (tryNumber: number, errored: Errored) => number;
}>;

/** USD per million tokens. cached null = unknown: a usage with cached tokens then costs null. An unpriced model costs null. */
export interface PriceTable {
  price(modelId: string): ModelPrice | null;
}

/** What a million tokens of each kind cost. */
export type ModelPrice = Readonly<{
  input: number;
  output: number;
  cached: number | null;
  cacheWrite: number | null;
}>;

/** One attempt at one item. */
export type Trial<Data> = Readonly<{
  identity: TrialIdentity;
  trialKey: string;
  item: Item<Data>;
  itemIndex: number;
  groupId: string | null;
  seeds: Seeds;
  split: 'train' | 'eval';
}>;

/** Which items are wanted; all conditions must hold. include and exclude: globs over ids. tags: exact values. shuffle: seeded, before `first` is applied. */
export type ItemFilter = Readonly<{
  include?: readonly string[];
  exclude?: readonly string[];
  tags?: Readonly<Record<string, string>>;
  first?: number;
  shuffle?: boolean;
}>;
