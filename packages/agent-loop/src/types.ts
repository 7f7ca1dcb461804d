import type {
  AgentResult,
  ChatModel,
  Effects,
  EmitEvent,
  ErrorInfo,
  JsonObject,
  Limiter,
  Message,
  ModelCallContext,
  ResultBudget,
  RolloutEvent,
  Sampling,
  SubagentTask,
  Tool,
  ToolSchema,
  Usage,
} from '@hermes/protocol';
export type AgentLoopOptions = Readonly<{
  messages: readonly Message[];
  model: ChatModel;
  tools: readonly Tool[];
  sampling: Sampling;
  identity: Readonly<{
    rolloutId: string;
    invocationId?: string;
    split?: ModelCallContext['split'];
  }>; // defaults root, train
  limits?: AgentLimits;
  signal?: AbortSignal;
  effects: Effects;
  emit: EmitEvent;
  context?: ContextPolicy; // default none
  resultBudget?: ResultBudget;
  toolLimiter?: Limiter;
  modelLimiter?: Limiter; // default unlimited; waiting is not charged to the deadline
  subagents?: SubagentPolicy;
  extraBody?: JsonObject;
  templateArguments?: JsonObject;
  parseFallback?: (text: string, tools: readonly ToolSchema[]) => AssistantParts | null;
}>; // phase 1, the configured parser; null = no marker in it
export type AssistantParts = Readonly<{
  content: string;
  reasoning: string | null;
  calls: readonly Readonly<{ id: string; name: string; arguments: string }>[];
}>;
/** maxTurns 30; the others have no limit by default. deadlineMs is the agent's own time: reaching it is stopReason `deadline`, never an error. */
export type AgentLimits = Readonly<{
  maxTurns?: number;
  maxTotalTokens?: number;
  maxOutputTokens?: number;
  maxCostUsd?: number;
  deadlineMs?: number;
}>;
/** Never rejects for anything a model, a tool or a signal did; CONFIG for wrong options (two tools of one name). Changes none of its arguments. */
/** Asked before each model call. unchanged: history as it is; view: send a copy this time; replace: the history itself (firstKept = index into messages). A throw is a failed compaction. */
export interface ContextPolicy {
  readonly name: string;
  prepare(input: ContextInput): Promise<ContextDecision>;
}
export type ContextInput = Readonly<{
  messages: readonly Message[];
  tools: readonly ToolSchema[];
  contextTokens: number | null;
  lastUsage: Usage | null;
  overflow: ErrorInfo | null; // set when the last call failed with CONTEXT_OVERFLOW: one more chance
  call: ModelCallContext;
  emit: EmitEvent;
}>;
export type ContextDecision = Readonly<
  | { kind: 'unchanged' }
  | { kind: 'view'; messages: readonly Message[] }
  | {
      kind: 'replace';
      messages: readonly Message[];
      trigger: string;
      summary: string | null;
      firstKept: number | null;
    }
>;
/** Children get own budgets; their tokens and cost also count against the parent. maxDepth 2, maxParallel 3. model absent = the parent's. */
export type SubagentPolicy = Readonly<{
  maxDepth?: number;
  maxParallel?: number;
  limits?: AgentLimits;
  model?: ChatModel;
  tools: (task: SubagentTask, parentTools: readonly Tool[]) => readonly Tool[];
}>;
