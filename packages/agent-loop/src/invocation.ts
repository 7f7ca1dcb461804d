import type {
  AgentResult,
  EmitEvent,
  ErrorInfo,
  Tool,
  ToolErrorRecord,
  ToolSchema,
  Usage,
} from '@hermes/protocol';
import { createGate, type Gate } from './_gate.ts';
import { type Budget, createBudget } from './budgets.ts';
import { startDeadline } from './deadline.ts';
import { createMessageLog, type MessageLog } from './message-log.ts';
import type { AgentLoopOptions } from './options.ts';
import { createStopSignal, type StopSignal } from './stop-signal.ts';
import { createWorkTime, type WorkTime } from './work-time.ts';

/** An agent to be run: the root, or a child of another. */
export type InvocationSetup = Readonly<{
  options: AgentLoopOptions;
  /** null = the root. */
  parent: Readonly<{ invocation: Invocation; toolCallId: string }> | null;
  /** Runs a child: the loop itself, given here so that the steps need not import it. */
  run: (setup: InvocationSetup) => Promise<AgentResult>;
}>;

/** One running agent: what it was given, and what it has come to so far. */
export type Invocation = Readonly<{
  setup: InvocationSetup;
  options: AgentLoopOptions;
  id: string;
  /** 0 = the root. */
  depth: number;
  tools: ReadonlyMap<string, Tool>;
  schemas: readonly ToolSchema[];
  emit: EmitEvent;
  log: MessageLog;
  stop: StopSignal;
  time: WorkTime;
  budget: Budget;
  /** Bounds how many children run at once. */
  childGate: Gate;
  tally: Tally;
  dispose(): void;
}>;

/** What is counted on the way. The only part of an invocation that changes in place. */
type Tally = {
  /** Model calls of the policy. */
  turns: number;
  attempts: number;
  modelMs: number;
  toolMs: number;
  contextRewrites: number;
  calls: { attempted: number; schemaValid: number; ok: number; failed: number };
  toolErrors: ToolErrorRecord[];
  /** In order of their start; null = it has not ended. */
  children: (AgentResult['children'][number] | null)[];
  lastUsage: Usage | null;
  /** The last call did not fit into the context. */
  overflow: ErrorInfo | null;
};

/** Opens an invocation; whoever opens it disposes it. */
export function openInvocation(setup: InvocationSetup): Invocation {
  const { options, parent } = setup;
  const { effects, emit, limits = {}, tools } = options;
  const id = options.identity.invocationId ?? 'root';
  const stop = createStopSignal(options.signal, effects.clock);
  const time = createWorkTime(effects.clock, parent?.invocation.time ?? null);
  const endDeadline =
    limits.deadlineMs === undefined
      ? () => {}
      : startDeadline(limits.deadlineMs, time, stop, effects.clock);
  return {
    setup,
    options,
    id,
    depth: parent ? parent.invocation.depth + 1 : 0,
    tools: new Map(tools.map((tool) => [tool.schema.function.name, tool])),
    schemas: tools.map((tool) => tool.schema),
    emit,
    log: createMessageLog(id, emit),
    stop,
    time,
    budget: createBudget(limits, parent?.invocation.budget ?? null, (kind) =>
      emit({ type: 'gap', code: `${kind}_unknown`, invocationId: id, detail: UNKNOWN[kind] }),
    ),
    childGate: createGate(options.subagents?.maxParallel ?? 3),
    tally: emptyTally(),
    dispose() {
      endDeadline();
      stop.dispose();
    },
  };
}

const UNKNOWN = {
  tokens: 'The model does not tell its tokens: the token budget cannot be kept.',
  cost: 'The model does not tell its cost: the cost budget cannot be kept.',
};

function emptyTally(): Tally {
  return {
    turns: 0,
    attempts: 0,
    modelMs: 0,
    toolMs: 0,
    contextRewrites: 0,
    calls: { attempted: 0, schemaValid: 0, ok: 0, failed: 0 },
    toolErrors: [],
    children: [],
    lastUsage: null,
    overflow: null,
  };
}
