import type { AgentResult } from './agent-result.ts';
import type { Effects } from './effects.ts';
import type { ErrorInfo } from './errors.ts';
import type { EmitEvent } from './events.ts';
import type { JsonObject } from './json.ts';
import type { ContentPart, Message, ToolSchema } from './messages.ts';
import type { ModelCapabilities } from './model.ts';

/**
 * What a tool call came to. `content` is exactly what the model sees; `details` are for records
 * only. A failed tool is a value.
 */
export type ToolResult = Readonly<
  | { status: 'completed'; content: string | readonly ContentPart[]; details?: JsonObject }
  | {
      status: 'failed' | 'timeout' | 'cancelled';
      content: string | readonly ContentPart[];
      error: ErrorInfo;
      details?: JsonObject;
    }
>;

/** Something a model may call. */
export interface Tool {
  readonly schema: ToolSchema;
  /** True: may run beside other parallel calls of the same turn (reads). False: alone, in call order. */
  readonly parallel: boolean;
  /** Longest result in characters; absent = the budget's default, Infinity = never persisted. */
  readonly maxResultChars?: number;
  /**
   * `args` was checked to be an object and coerced by the schema. A throw is caught by the loop and
   * becomes status `failed`. Must end soon after `context.signal` fires.
   */
  execute(args: JsonObject, context: ToolCallContext): Promise<ToolResult>;
}

/** What a tool knows about the call it answers. */
export type ToolCallContext = Readonly<{
  rolloutId: string;
  invocationId: string;
  /** 1-based. */
  turn: number;
  signal: AbortSignal;
  effects: Effects;
  /** The model's id; may repeat in a rollout. */
  toolCallId: string;
  /** Ours, unique in the rollout and safe as a file name: for files and maps. */
  callKey: string;
  /** For `tool_delta`, and for the model calls that a tool makes. */
  emit: EmitEvent;
  /** Runs a subagent; absent = not allowed here (depth, configuration). */
  delegate?: (task: SubagentTask) => Promise<SubagentResult>;
}>;

/** A job for a subagent. */
export type SubagentTask = Readonly<{
  messages: readonly Message[];
  /** Absent = the tools that the policy gives. */
  toolNames?: readonly string[];
  maxTurns?: number;
}>;

/** How a subagent ended. */
export type SubagentResult = Readonly<{
  invocationId: string;
  result: AgentResult;
  durationMs: number;
}>;

/**
 * A named set of tools, opened once per rollout with what it needs (`Needs`). Whoever opens it
 * closes it.
 */
export interface Toolset<Needs = unknown> {
  readonly name: string;
  readonly toolNames: readonly string[];
  /** Whether it could work here; absent = always. */
  available?(
    signal?: AbortSignal,
  ): Promise<{ readonly ok: true } | Readonly<{ ok: false; message: string }>>;
  /** `model` tells what the model can take: no vision tools without images. */
  open(
    needs: Needs,
    context: Readonly<{
      rolloutId: string;
      effects: Effects;
      signal: AbortSignal;
      model: ModelCapabilities;
    }>,
  ): Promise<OpenToolset>;
}

/** The tools of one rollout. */
export interface OpenToolset {
  readonly tools: readonly Tool[];
  close?(): Promise<void>;
}

/**
 * Keeps tool results within bounds: one result, and all results of a turn. Never throws; both
 * return results of the same order and length.
 */
export interface ResultBudget {
  /** `tool` null = the call named no known tool. */
  limitResult(result: ToolResult, tool: Tool | null, context: ToolCallContext): Promise<ToolResult>;
  limitTurn(
    results: readonly Readonly<{ callKey: string; result: ToolResult }>[],
    signal: AbortSignal,
  ): Promise<readonly ToolResult[]>;
}
