import type { AgentLimits } from '@hermes/agent-loop';
import type {
  AgentResult,
  ChatModel,
  CompletedRollout,
  Effects,
  ErroredCauses,
  JsonObject,
  Message,
  Random,
  Reward,
  RolloutRecord,
  ScoredGroup,
  Toolset,
} from '@hermes/protocol';
import type { Capabilities, SandboxSpec } from '@hermes/sandbox';
import type { ToolContext, ToolResources } from '@hermes/tools';
import type { ConfigValues } from './config/_layers.ts';

/** Standard Schema v1: a `z.strictObject({...})` fits as it is, and no zod type shows in our surface. */
export type ConfigSchema<Config> = Readonly<{
  '~standard': Readonly<{
    version: 1;
    vendor: string;
    validate: (value: unknown) => SchemaResult<Config> | Promise<SchemaResult<Config>>;
    types?: Readonly<{ input: unknown; output: Config }> | undefined;
  }>;
}>;

/** What a schema answers: the parsed value, or what is wrong with it and where. */
export type SchemaResult<T> =
  | Readonly<{ value: T; issues?: undefined }>
  | {
      readonly issues: readonly Readonly<{
        message: string;
        path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
      }>[];
    };

/** What a package exports to offer an environment. */
export interface EnvironmentDefinition<Config = unknown, Data = unknown> {
  /** The name that people type. */
  readonly id: string;
  /** Changes whenever a score may change. */
  readonly version: string;
  readonly description: string;
  readonly config: ConfigSchema<Config>;
  /**
   * Keys of the configuration that only say where something lies, for example `['path']`. They are
   * left out of the digest that goes into plan and trial keys, so that a run can be resumed after a
   * move; what lies there must be told by `datasetRevision`. Default: none.
   */
  readonly places?: readonly string[];
  /** Values of the general keys as this environment has them where nobody says otherwise, under their names in a file. */
  readonly defaults?: ConfigValues;
  /** May read data sets. Throws a HermesError of the boundary `config` or `data`. */
  open(config: Config, context: EnvironmentContext): Promise<Environment<Data>>;
}

/** What an environment is opened with. */
export type EnvironmentContext = Readonly<{
  effects: Effects;
  signal: AbortSignal;
  /** A model for grading; null: none was configured. */
  judge: ChatModel | null;
  /** The host's environment, for `${VAR}` in a data set. Absent: none. */
  variables?: Readonly<Record<string, string | undefined>>;
}>;

/** One task. id: stable and unique in the environment. tags: for filters and tables. */
export type Item<Data> = Readonly<{
  id: string;
  data: Data;
  tags?: Readonly<Record<string, string>>;
}>;

/**
 * Methods get all they need by argument and keep nothing per rollout. A throw is errored
 * `environment`; from computeReward it is `verifier` / `reward_threw`. A SandboxError or ModelError
 * that comes through keeps its own reason (a lost sandbox is not the author's fault), and so does a
 * HermesError whose boundary is `environment` or `verifier` and whose code is one of the causes of
 * that reason in upper case (`ITEM_INVALID`, `TESTS_UPLOAD`).
 */
export interface Environment<Data = unknown> {
  /** Commit or content digest of the data; part of the trial key. */
  readonly datasetRevision: string;
  /** What the configuration may narrow; [] = a plain chat. */
  readonly toolsets: readonly Toolset<ToolResources>[];
  /** Marks of every record of this environment, for example `timeout_override`; see `marks` of a record. */
  readonly marks?: readonly string[];
  /** All items in a fixed order. start: data position of a checkpoint. */
  items(query: ItemQuery): AsyncIterable<Item<Data>>;
  prompt(item: Item<Data>): readonly Message[] | Promise<readonly Message[]>;
  /**
   * The agent's sandbox. Absent or null: none. capabilities: the provider's, as its preflight proved
   * them. A thrown HermesError refuses the item before a token is spent: SandboxError UNSUPPORTED is
   * `sandbox_unsupported`; code PATH_UNAVAILABLE or ITEM_INVALID is that cause of `environment`.
   */
  sandbox?(item: Item<Data>, capabilities: Capabilities): SandboxNeeds | null;
  /** A second sandbox for the verifier, made at the agent's end. Absent or null: it works in the agent's. */
  verifierSandbox?(item: Item<Data>, capabilities: Capabilities): SandboxNeeds | null;
  /**
   * Where the verifier has a sandbox of its own: brings what is graded from the agent's into it, in the
   * verifier's time and before computeReward; a throw counts as one of computeReward. Afterwards the
   * agent's sandbox is ended with all that runs in it, unless `agentGoesOn`: then it lives until the verdict.
   * Absent: nothing is brought, and the agent's sandbox lives on.
   */
  handOver?(
    item: Item<Data>,
    agent: ToolContext,
    verifier: ToolContext,
    signal: AbortSignal,
  ): Promise<Readonly<{ agentGoesOn: boolean }>>;
  /** The row's own limits; they win over the configuration's defaults. */
  limits?(item: Item<Data>): TrialLimits;
  setupWorkspace?(item: Item<Data>, tools: ToolContext, signal: AbortSignal): Promise<void>;
  /** Scores what the sandbox holds; also called after an agent time-out. */
  computeReward(
    item: Item<Data>,
    result: AgentResult,
    tools: ToolContext,
    signal: AbortSignal,
  ): Promise<Verdict>;
  /** null: this item has none (`solution_missing` under the oracle). */
  solution?(item: Item<Data>): Promise<Solution | null>;
  /** Own metrics beside the common ones. The records come without messages and token segments, which stay on disk. */
  aggregate?(records: readonly RolloutRecord[]): Readonly<Record<string, number>>;
  /** Advantages or distillation for a group on its way to a trainer; null = drop the group. */
  finishGroup?(
    records: readonly CompletedRollout[],
    group: ScoredGroup,
  ): Promise<ScoredGroup | null>;
  /** For doors whose task comes from outside; throws a HermesError `config` for a row that does not fit. */
  itemFrom?(row: JsonObject): Item<Data>;
  close?(): Promise<void>;
}

/** Which items are wanted. random: seeded by the run, for environments that generate their items. */
export type ItemQuery = Readonly<{ split: 'train' | 'eval'; start: number; random: Random }>;

/** What a sandbox must offer; all of it is checked before a token is spent. */
export type SandboxNeeds = Omit<SandboxSpec, 'labels' | 'idempotencyKey' | 'lifetimeMs'> &
  Readonly<{
    /** Default: the sum of the rollout's own limits and a margin. */
    lifetimeMs?: number;
    /** Programs that must be on the PATH; else errored `command_missing`, which names them. */
    commands?: readonly string[];
    /** Else errored `sandbox_unsupported`; for `absolutePaths` it is `path_unavailable`. */
    capabilities?: Partial<Capabilities>;
    /** Go onto the record, for example `image_not_used`. */
    marks?: readonly string[];
  }>;

/** Time and budget of a rollout. Defaults: startMs 600 s, setupMs 600 s, verifyMs 600 s, rolloutMs none. */
export type TrialLimits = Readonly<{
  agent?: AgentLimits;
  startMs?: number;
  setupMs?: number;
  verifyMs?: number;
  rolloutMs?: number;
}>;

/** A number n is reward n, resolved when n >= 1. could_not_score is a value that says why; it is never a 0. marks go onto the record. */
export type Verdict =
  | number
  | ({ readonly kind: 'reward'; readonly marks?: readonly string[] } & Reward)
  | Readonly<{
      kind: 'could_not_score';
      cause: ErroredCauses['verifier'] | ErroredCauses['environment'];
      message: string;
      details?: JsonObject;
    }>;

/** Played one turn a model call; the last has no calls. */
export type Solution = Readonly<{
  turns: readonly Readonly<{
    content: string;
    calls: readonly Readonly<{ name: string; arguments: JsonObject }>[];
  }>[];
}>;
