import type { ErrorInfo } from './errors.ts';
import type { Message } from './messages.ts';
import type { Usage } from './model.ts';

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
export type ToolErrorRecord = Readonly<{
  turn: number;
  toolName: string;
  rawArguments: string;
  error: string;
  toolResult: string;
}>;
export type AgentResult = Readonly<{
  messages: readonly Message[]; // the whole log, prompt first; also what a compaction took out of the history
  stopReason: StopReason;
  error: ErrorInfo | null; // error: set for server_error, empty_response, context_overflow
  turnsUsed: number; // model calls of the policy, the failed one included
  toolErrors: readonly ToolErrorRecord[];
  toolCalls: Readonly<{ attempted: number; schemaValid: number; ok: number; failed: number }>;
  usage: Usage;
  costUsd: number | null;
  modelMs: number;
  toolMs: number;
  modelAttempts: number;
  contextRewrites: number; // > 0: the prefix property was broken on purpose
  children: readonly Readonly<{
    invocationId: string;
    parentInvocationId: string;
    spawnedByToolCallId: string;
    result: AgentResult;
  }>[];
}>;
