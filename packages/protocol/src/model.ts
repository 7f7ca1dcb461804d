import type { Instant } from './effects.ts';
import type { ErrorInfo } from './errors.ts';
import type { JsonObject } from './json.ts';
import type { AssistantMessage, Message, ToolSchema } from './messages.ts';
import type { TokenSegment } from './tokens.ts';

/** inputTokens includes cached and cache-written ones, outputTokens includes reasoning. null = the server did not say. Sums of an unknown are null. */
export type Usage = Readonly<{
  inputTokens: number | null;
  outputTokens: number | null;
  totalTokens: number | null;
  cachedTokens: number | null;
  cacheWriteTokens: number | null;
  reasoningTokens: number | null;
}>;
/** What is absent is not sent. maxTokens: of the answer. */
export type Sampling = Readonly<{
  temperature?: number;
  topP?: number;
  topK?: number;
  minP?: number;
  maxTokens?: number;
  seed?: number;
  stop?: readonly string[];
  frequencyPenalty?: number;
  presencePenalty?: number;
  repetitionPenalty?: number;
}>;
export type ChatRequest = Readonly<{
  messages: readonly Message[];
  tools?: readonly ToolSchema[]; // absent and [] are the same: not sent
  toolChoice?: 'auto' | 'none' | 'required' | { readonly name: string };
  sampling: Sampling;
  extraBody?: JsonObject; // merged into the body as it is
  templateArguments?: JsonObject;
}>; // enable_thinking, documents, ...; UNSUPPORTED where the model cannot take them
/** Correlates a call with its rollout (gateway path, x-session-id, events). turn: 1-based; null = no turn (compaction, judge, tool). */
export type ModelCallContext = Readonly<{
  signal: AbortSignal;
  rolloutId: string;
  invocationId: string;
  turn: number | null;
  purpose: 'policy' | 'compaction' | 'judge' | 'tool';
  split: 'train' | 'eval';
}>;
/** One request on the wire. modelCallId: the id that a capturing server gave it, null = not captured. error null = it succeeded. */
export type ModelAttempt = Readonly<{
  attemptId: string;
  number: number;
  modelCallId: string | null;
  responseId: string | null;
  modelId: string | null;
  startedAt: Instant;
  endedAt: Instant;
  firstTokenMs: number | null;
  statusCode: number | null;
  usage: Usage;
  error: ErrorInfo | null;
}>;
export type ChatDelta = Readonly<
  | { type: 'content_delta'; text: string }
  | { type: 'reasoning_delta'; text: string }
  | { type: 'tool_call_start'; index: number; id: string; name: string }
  | { type: 'tool_call_delta'; index: number; arguments: string }
>;
/** A new attempt_start voids the deltas of the attempt before. Exactly one result, last. After a throw nothing more comes. */
export type ChatEvent =
  | ChatDelta
  | Readonly<
      | { type: 'attempt_start'; attemptId: string; number: number }
      | { type: 'attempt_end'; attempt: ModelAttempt }
      | { type: 'result'; result: ChatResult }
    >;
export type FinishReason =
  | 'stop'
  | 'tool_calls'
  | 'length'
  | 'content_filter'
  | 'abort'
  | 'unknown'; // 'length' and 'abort' are never overwritten
/** Where this call's tokens stand in a segment of the session: [promptEnd, end) was sampled. Ranges, not copies: a long rollout stays linear. */
export type CallTokens = Readonly<{
  segment: number;
  promptEnd: number;
  end: number;
  weightVersion: string | null;
}>;
export type ChatResult = Readonly<{
  message: AssistantMessage;
  finishReason: FinishReason;
  responseId: string | null;
  modelId: string | null;
  usage: Usage;
  costUsd: number | null; // as told by the provider; null = not told, env-core may price it
  tokens: CallTokens | null; // null = no token ids: not trainable
  notes: readonly ModelNote[]; // what a parser dropped or repaired; `raw` lets the loop show the model its own failed call
  raw?: unknown;
}>; // the provider's own object, for people who know it
export type ModelNote = Readonly<{
  level: 'info' | 'warning' | 'error';
  code: string;
  message: string;
  raw?: string;
  toolName?: string;
}>;
export type ModelCapabilities = Readonly<{
  tokenIds: boolean; // true: segments() exists and its data may be trained on
  images: boolean;
  toolChoice: boolean;
  streaming: boolean;
  contextTokens: number | null;
}>;
/** Opened for one rollout (or stateless and shared; then close does nothing). chat: throws ModelError from the iterator, CANCELLED on abort, which also ends the upstream call. */
export interface ChatModel {
  readonly specificationVersion: 'v1';
  readonly provider: string;
  readonly modelId: string;
  readonly capabilities: ModelCapabilities;
  chat(request: ChatRequest, context: ModelCallContext): AsyncIterable<ChatEvent>;
  segments?(): readonly TokenSegment[]; // all of this session so far, in order of opening; present iff capabilities.tokenIds
  close?(): Promise<void>;
}
