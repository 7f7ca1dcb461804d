import type {
  ChatModel,
  Effects,
  EmitEvent,
  JsonObject,
  Limiter,
  Message,
  ModelCallContext,
  ModelNote,
  ResultBudget,
  Sampling,
  Tool,
  ToolSchema,
} from '@hermes/protocol';
import type { ContextPolicy } from './context-policy.ts';
import type { SubagentPolicy } from './subagents.ts';

/** What `runAgentLoop` needs. Nothing of it is changed. */
export type AgentLoopOptions = Readonly<{
  /** The prompt. */
  messages: readonly Message[];
  /** Opened and closed by the caller. */
  model: ChatModel;
  /** No two of one name. */
  tools: readonly Tool[];
  sampling: Sampling;
  /** `invocationId` defaults to `root`, `split` to `train`. */
  identity: Readonly<{
    rolloutId: string;
    invocationId?: string;
    split?: ModelCallContext['split'];
  }>;
  limits?: AgentLimits;
  /** Ends the loop with stop reason `aborted`. */
  signal?: AbortSignal;
  effects: Effects;
  emit: EmitEvent;
  /** Default `noContextPolicy`: the history is sent as it stands. */
  context?: ContextPolicy;
  /** Keeps tool results within bounds. Default: none. */
  resultBudget?: ResultBudget;
  /** Shared by the rollouts of a run. Default unlimited; waiting is not charged to the deadline. */
  toolLimiter?: Limiter;
  /** Shared by the rollouts of a run. Default unlimited; waiting is not charged to the deadline. */
  modelLimiter?: Limiter;
  /** Default: tools cannot delegate. */
  subagents?: SubagentPolicy;
  /** Merged into each request as it is. */
  extraBody?: JsonObject;
  /** For the chat template of each request. */
  templateArguments?: JsonObject;
  /**
   * Reads tool calls out of text, for servers that do not. Asked only when a message has text and
   * no calls, and tools were given. null = the text has no marker of the format.
   */
  parseFallback?: (text: string, tools: readonly ToolSchema[]) => AssistantParts | null;
}>;

/** What a parser found in a text. */
export type AssistantParts = Readonly<{
  /** The text without what was taken out. */
  content: string;
  reasoning: string | null;
  calls: readonly Readonly<{ id: string; name: string; arguments: string }>[];
  /** Calls that it had to drop: notes of level `error` with their `raw` text. */
  notes?: readonly ModelNote[];
}>;

/** How much an agent may use. A limit that is reached ends the loop before the next model call. */
export type AgentLimits = Readonly<{
  /** Model calls. Default 30. */
  maxTurns?: number;
  /** Input and output tokens of all calls. Default none. */
  maxTotalTokens?: number;
  /** Output tokens of all calls; also caps the answer of each request. Default none. */
  maxOutputTokens?: number;
  /** Default none. */
  maxCostUsd?: number;
  /** The agent's own time. Reaching it is stop reason `deadline`, never an error. Default none. */
  deadlineMs?: number;
}>;
