import type { AgentResult, ErrorInfo, StopReason } from '@hermes/protocol';
import type { Invocation } from './invocation.ts';

/** Why a loop ended; `error` only for those reasons that are errors. */
export type Ending = Readonly<{ stopReason: StopReason; error: ErrorInfo | null }>;

/** The outcome of an invocation that has ended. */
export function agentResult({ budget, log, tally }: Invocation, ending: Ending): AgentResult {
  return {
    messages: log.all(),
    ...ending,
    turnsUsed: tally.turns,
    toolErrors: tally.toolErrors.slice(),
    toolCalls: { ...tally.calls },
    ...budget.used(),
    modelMs: tally.modelMs,
    toolMs: tally.toolMs,
    modelAttempts: tally.attempts,
    contextRewrites: tally.contextRewrites,
    children: tally.children.filter((child) => child !== null),
  };
}
