import type {
  AgentResult,
  ChatModel,
  EmitEvent,
  Instant,
  OpenToolset,
  Phase,
  RolloutTimings,
  RolloutTry,
  SandboxReport,
  TokenSegment,
} from '@hermes/protocol';
import type { Sandbox } from '@hermes/sandbox';
import { openTimedScope, type Scope } from './_deadline.ts';
import type { RunContext } from './_run-context.ts';
import type { TrialLimits } from './environment.ts';
import type { Trial } from './run-options.ts';

/** One sandbox of a try, and what is known of it at the end. */
export type OwnedSandbox = {
  readonly key: string;
  readonly role: SandboxReport['role'];
  readonly sandbox: Sandbox;
  /** Set once it is being ended by us: then its end is no loss. Resolves when its report is there. */
  ending: Promise<void> | null;
};

/** What the phases of one try share and fill in. Nothing else knows it. */
export type TryState<Data> = {
  readonly context: RunContext<Data>;
  readonly trial: Trial<Data>;
  readonly earlier: readonly RolloutTry[];
  readonly rolloutId: string;
  readonly emit: EmitEvent;
  /** Aborted by the run, by the rollout's deadline, or by the death of a sandbox. */
  readonly scope: Scope;
  readonly limits: TrialLimits;
  readonly startedAt: Instant;
  readonly timings: Record<Exclude<keyof RolloutTimings, 'startedAt' | 'endedAt'>, number>;
  readonly sandboxes: OwnedSandbox[];
  readonly reports: SandboxReport[];
  readonly toolsets: OpenToolset[];
  readonly marks: Set<string>;
  readonly versions: Record<string, string>;
  toolsetNames: readonly string[];
  model: ChatModel | null;
  modelAsked: boolean;
  agent: AgentResult | null;
  agentTimedOut: boolean;
  segments: readonly TokenSegment[];
};

/** Begins a try: its id, its clock, its deadline, its first event. Closed by `closeTry`. */
export function openTry<Data>(
  context: RunContext<Data>,
  trial: Trial<Data>,
  earlier: readonly RolloutTry[],
  rolloutId: string,
): TryState<Data> {
  const { alarms, effects, options } = context;
  const limits = mergeLimits(options.limits, options.environment.limits?.(trial.item));
  const limitMs = limits.rolloutMs ?? Number.POSITIVE_INFINITY;
  const scope = openTimedScope(alarms, limitMs, options.signal);
  return {
    context,
    trial,
    earlier,
    rolloutId,
    emit: context.openEmitter(rolloutId),
    scope,
    limits,
    startedAt: effects.clock.now(),
    timings: {
      queuedMs: 0,
      sandboxMs: 0,
      setupMs: 0,
      agentMs: 0,
      verifyMs: 0,
      disposeMs: 0,
      rateLimitMs: 0,
    },
    sandboxes: [],
    reports: [],
    toolsets: [],
    marks: new Set([
      ...(options.marks ?? []),
      ...(options.environment.marks ?? []),
      ...(earlier.some((one) => one.errored === null) ? [RESCORED] : []),
    ]),
    versions: { ...context.versions },
    toolsetNames: [],
    model: null,
    modelAsked: false,
    agent: null,
    agentTimedOut: false,
    segments: [],
  };
}

/** The mark of a trial whose earlier score was put aside: who draws again until a reward is high enough measures something else. */
const RESCORED = 'rescored';

const TIMING_OF = {
  queue: 'queuedMs',
  sandbox: 'sandboxMs',
  setup: 'setupMs',
  agent: 'agentMs',
  verify: 'verifyMs',
  dispose: 'disposeMs',
} as const satisfies Record<Phase, string>;

/** Runs the work between the two events of its phase and adds up its time. */
export async function inPhase<T>(
  state: TryState<unknown>,
  phase: Phase,
  work: () => Promise<T>,
): Promise<T> {
  const end = startPhase(state, phase);
  try {
    return await work();
  } finally {
    end();
  }
}

/** For a phase that ends inside another function. The returned end may be called more than once. */
export function startPhase(state: TryState<unknown>, phase: Phase): () => void {
  const { clock } = state.context.effects;
  const startMs = clock.now().monoMs;
  let open = true;
  state.emit({ type: 'phase_start', phase });
  return () => {
    if (!open) return;
    open = false;
    state.timings[TIMING_OF[phase]] += clock.now().monoMs - startMs;
    state.emit({ type: 'phase_end', phase });
  };
}

function mergeLimits(run: TrialLimits = {}, row: TrialLimits = {}): TrialLimits {
  return { ...run, ...row, agent: { ...run.agent, ...row.agent } };
}
