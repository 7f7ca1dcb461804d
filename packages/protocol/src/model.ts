import type { Instant } from './effects.ts';
import type { ErrorInfo } from './errors.ts';
import type { JsonObject } from './json.ts';
import type { AssistantMessage, Message, ToolSchema } from './messages.ts';
import type { TokenSegment } from './tokens.ts';

/** Tokens of one or more calls. null = the server did not say; a sum with an unknown is null. */
export type Usage = Readonly<{
  /** Includes cached and cache-written tokens. */
  inputTokens: number | null;
  /** Includes reasoning tokens. */
  outputTokens: number | null;
  totalTokens: number | null;
  cachedTokens: number | null;
  cacheWriteTokens: number | null;
  reasoningTokens: number | null;
}>;

/** How to sample. What is absent is not sent. */
export type Sampling = Readonly<{
  temperature?: number;
  topP?: number;
  topK?: number;
  minP?: number;
  /** Limit of the answer, in tokens. */
  maxTokens?: number;
  seed?: number;
  stop?: readonly string[];
  frequencyPenalty?: number;
  presencePenalty?: number;
  repetitionPenalty?: number;
}>;

/** One question to a model. Whoever is given it must not change it. */
export type ChatRequest = Readonly<{
  messages: readonly Message[];
  /** Absent and `[]` mean the same: not sent. */
  tools?: readonly ToolSchema[];
  toolChoice?: 'auto' | 'none' | 'required' | { readonly name: string };
  sampling: Sampling;
  /** Merged into the request body as it is. */
  extraBody?: JsonObject;
  /** For the chat template (`enable_thinking`, documents, ...); `UNSUPPORTED` where the model cannot take them. */
  templateArguments?: JsonObject;
}>;

/** Correlates a call with its rollout: gateway paths, session headers and events use it. */
export type ModelCallContext = Readonly<{
  signal: AbortSignal;
  rolloutId: string;
  invocationId: string;
  /** 1-based; null = the call belongs to no turn (compaction, judge, tool). */
  turn: number | null;
  purpose: 'policy' | 'compaction' | 'judge' | 'tool';
  split: 'train' | 'eval';
}>;

/** One request on the wire. */
export type ModelAttempt = Readonly<{
  attemptId: string;
  /** 1-based within the call. */
  number: number;
  /** The id that a capturing server gave it; null = not captured. */
  modelCallId: string | null;
  responseId: string | null;
  modelId: string | null;
  startedAt: Instant;
  endedAt: Instant;
  /** From the start to the first streamed token; null = not streamed, or nothing came. */
  firstTokenMs: number | null;
  /** HTTP status; null = there was none. */
  statusCode: number | null;
  usage: Usage;
  /** null = it succeeded. */
  error: ErrorInfo | null;
}>;

/** A piece of an answer in the making. `index` tells parallel tool calls apart. */
export type ChatDelta = Readonly<
  | { type: 'content_delta'; text: string }
  | { type: 'reasoning_delta'; text: string }
  | { type: 'tool_call_start'; index: number; id: string; name: string }
  | { type: 'tool_call_delta'; index: number; arguments: string }
>;

/**
 * What a model call yields. A new `attempt_start` voids the deltas of the attempt before. There is
 * exactly one `result` and it is last; after a throw nothing more comes.
 */
export type ChatEvent =
  | ChatDelta
  | Readonly<
      | { type: 'attempt_start'; attemptId: string; number: number }
      | { type: 'attempt_end'; attempt: ModelAttempt }
      | { type: 'result'; result: ChatResult }
    >;

/** Why a model stopped. `length` and `abort` are never overwritten by a parser. */
export type FinishReason =
  | 'stop'
  | 'tool_calls'
  | 'length'
  | 'content_filter'
  | 'abort'
  | 'unknown';

/**
 * Where the tokens of one call stand in a segment of the session: `[promptEnd, end)` was sampled.
 * Ranges and not copies, so that a long rollout stays linear.
 */
export type CallTokens = Readonly<{
  segment: number;
  promptEnd: number;
  end: number;
  weightVersion: string | null;
}>;

/** The whole answer of one call. */
export type ChatResult = Readonly<{
  message: AssistantMessage;
  finishReason: FinishReason;
  responseId: string | null;
  modelId: string | null;
  usage: Usage;
  /** As told by the provider; null = not told, a runner may price it. */
  costUsd: number | null;
  /** null = no token ids: the call is not trainable. */
  tokens: CallTokens | null;
  /** What a parser dropped or repaired. */
  notes: readonly ModelNote[];
  /** The provider's own object, for people who know it. */
  raw?: unknown;
}>;

/** A remark of a parser on an answer. */
export type ModelNote = Readonly<{
  level: 'info' | 'warning' | 'error';
  code: string;
  message: string;
  /** The text in question: lets a loop show a model its own failed call. */
  raw?: string;
  toolName?: string;
}>;

/** What a model can do. */
export type ModelCapabilities = Readonly<{
  /** True: `segments()` exists and its data may be trained on. */
  tokenIds: boolean;
  images: boolean;
  toolChoice: boolean;
  streaming: boolean;
  /** Size of the context window; null = not known. */
  contextTokens: number | null;
}>;

/** A model that answers conversations. Opened for one rollout, or stateless and shared (then `close` does nothing). */
export interface ChatModel {
  readonly specificationVersion: 'v1';
  readonly provider: string;
  readonly modelId: string;
  readonly capabilities: ModelCapabilities;
  /**
   * Throws `ModelError` from the iterator; `CANCELLED` on abort, which also ends the upstream call.
   * A caller that stops iterating ends the call as well.
   */
  chat(request: ChatRequest, context: ModelCallContext): AsyncIterable<ChatEvent>;
  /** All segments of this session so far, in order of opening; present if and only if `capabilities.tokenIds`. */
  segments?(): readonly TokenSegment[];
  /** Idempotent. The opener calls it. */
  close?(): Promise<void>;
}
