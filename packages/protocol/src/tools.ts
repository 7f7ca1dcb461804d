import type { AgentResult } from './agent-result.ts';
import type { Effects } from './effects.ts';
import type { ErrorInfo } from './errors.ts';
import type { EmitEvent } from './events.ts';
import type { JsonObject } from './json.ts';
import type { ContentPart, Message, ToolSchema } from './messages.ts';
import type { ModelCapabilities } from './model.ts';

/** content: exactly what the model sees. details: for records only. A failed tool is a value; a throw is caught by the loop and becomes status failed. */
export type ToolResult = Readonly<
  | { status: 'completed'; content: string | readonly ContentPart[]; details?: JsonObject }
  | {
      status: 'failed' | 'timeout' | 'cancelled';
      content: string | readonly ContentPart[];
      error: ErrorInfo;
      details?: JsonObject;
    }
>;
export interface Tool {
  readonly schema: ToolSchema;
  readonly parallel: boolean; // may run beside other parallel calls of the same turn (reads); false: alone, in call order
  readonly maxResultChars?: number; // budget layer 2; default of the budget; Infinity = never persisted (read_file)
  execute(args: JsonObject, context: ToolCallContext): Promise<ToolResult>;
} // args: checked to be an object and coerced by the schema
export type ToolCallContext = Readonly<{
  rolloutId: string;
  invocationId: string;
  turn: number;
  signal: AbortSignal;
  effects: Effects;
  toolCallId: string; // the model's id; may repeat in a rollout
  callKey: string; // ours, unique in the rollout: for files and maps
  emit: EmitEvent; // tool_delta, and model calls that a tool makes
  delegate?: (task: SubagentTask) => Promise<SubagentResult>;
}>; // absent = not allowed here (depth, configuration)
export type SubagentTask = Readonly<{
  messages: readonly Message[];
  toolNames?: readonly string[];
  maxTurns?: number;
}>;
export type SubagentResult = Readonly<{
  invocationId: string;
  result: AgentResult;
  durationMs: number;
}>;
/** A named set of tools, opened once per rollout with what it needs (`Needs` is `ToolResources` of @hermes/tools, or unknown). The opener closes it. */
export interface Toolset<Needs = unknown> {
  readonly name: string;
  readonly toolNames: readonly string[];
  available?(
    signal?: AbortSignal,
  ): Promise<{ readonly ok: true } | Readonly<{ ok: false; message: string }>>;
  open(
    needs: Needs,
    context: Readonly<{
      rolloutId: string;
      effects: Effects;
      signal: AbortSignal;
      model: ModelCapabilities;
    }>,
  ): Promise<OpenToolset>;
} // model: no vision tools without images
export interface OpenToolset {
  readonly tools: readonly Tool[];
  close?(): Promise<void>;
}
/** Budget layers 2 and 3; made by @hermes/tools, called by the loop. Never throws; both return results of the same order and length. */
export interface ResultBudget {
  limitResult(result: ToolResult, tool: Tool | null, context: ToolCallContext): Promise<ToolResult>;
  limitTurn(
    results: readonly Readonly<{ callKey: string; result: ToolResult }>[],
    signal: AbortSignal,
  ): Promise<readonly ToolResult[]>;
}
