import type { ErrorInfo } from './errors.ts';
import type { Message } from './messages.ts';
import type { Usage } from './model.ts';

/** Why an agent ended. `natural`: the model answered without calling a tool. */
export type StopReason =
  | 'natural'
  | 'max_turns'
  | 'max_tokens'
  | 'max_cost'
  | 'deadline'
  | 'server_error'
  | 'empty_response'
  | 'aborted'
  | 'context_overflow';

/** One tool call that went wrong. */
export type ToolErrorRecord = Readonly<{
  /** 1-based. */
  turn: number;
  toolName: string;
  /** The first 200 characters of what the model wrote. */
  rawArguments: string;
  error: string;
  /** What the model was shown; at most 500 characters when a tool itself reported the error. */
  toolResult: string;
}>;

/** The outcome of one agent: what was said, why it ended and what it used. */
export type AgentResult = Readonly<{
  /** The whole log, prompt first; also what a compaction took out of the history. */
  messages: readonly Message[];
  stopReason: StopReason;
  /** Set for `server_error`, `empty_response` and `context_overflow`. */
  error: ErrorInfo | null;
  /** Model calls of the policy, a failed one included. */
  turnsUsed: number;
  toolErrors: readonly ToolErrorRecord[];
  toolCalls: Readonly<{
    attempted: number;
    /** Known tool, and arguments that fit its schema. */
    schemaValid: number;
    ok: number;
    failed: number;
  }>;
  /** Of all model calls that returned a result, those of tools, compactions and children included. */
  usage: Usage;
  /** In US dollars; null = at least one call did not tell its cost. */
  costUsd: number | null;
  modelMs: number;
  toolMs: number;
  /** Requests on the wire. */
  modelAttempts: number;
  /** Greater than 0: the prefix property was broken on purpose. */
  contextRewrites: number;
  /** The subagents this agent started, in order of their start. */
  children: readonly Readonly<{
    invocationId: string;
    parentInvocationId: string;
    spawnedByToolCallId: string;
    result: AgentResult;
  }>[];
}>;
