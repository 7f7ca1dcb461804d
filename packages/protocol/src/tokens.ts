import type { JsonObject } from './json.ts';
import type { Message, ToolSchema } from './messages.ts';
import type { ModelAttempt, ModelCallContext, Sampling } from './model.ts';

/** Why a new token segment was opened instead of extending the one before. */
export type SegmentReason =
  | 'start'
  | 'history_rewritten'
  | 'unknown_assistant_text'
  | 'tools_changed'
  | 'template_not_append_only'
  | 'branch'
  | 'session_reset';

/**
 * A run of tokens as the engine saw and sampled them. `ids`, `mask` and `logprobs` have equal
 * length. Context has mask -100 and logprob 1.0; a sampled token has its own id as mask and a
 * finite logprob <= 0.
 */
export type TokenSegment = Readonly<{
  index: number;
  invocationId: string;
  openedBecause: SegmentReason;
  /** `placeholder`: made up, may never reach a trainer. */
  source: 'engine' | 'placeholder';
  ids: readonly number[];
  mask: readonly number[];
  logprobs: readonly number[];
  weightVersions: readonly string[];
}>;

/** One question to a token engine. */
export type GenerateRequest = Readonly<{
  ids: readonly number[];
  /** How many answers to sample. */
  n: number;
  sampling: Sampling;
  stopIds?: readonly number[];
}>;

/** Why a sampled sequence ended. */
export type TokenFinish = Readonly<
  | { type: 'stop'; matchedId: number | null; matchedText: string | null }
  | { type: 'length' }
  | { type: 'abort' }
>;

/** One sampled sequence. `ids` and `logprobs` have equal length and are never padded. */
export type TokenOutput = Readonly<{
  /** Includes the stop id when the engine produced it. */
  ids: readonly number[];
  logprobs: readonly number[];
  finish: TokenFinish;
  weightVersion: string | null;
}>;

/** What a generation yields; a new `attempt_start` voids the deltas before, `result` is last. */
export type TokenEvent = Readonly<
  | { type: 'attempt_start'; attemptId: string; number: number }
  | { type: 'attempt_end'; attempt: ModelAttempt }
  | { type: 'tokens_delta'; choice: number; ids: readonly number[]; logprobs: readonly number[] }
  | {
      type: 'result';
      outputs: readonly TokenOutput[];
      /** The prompt as the engine echoed it; null = there is no echo to check. */
      promptIds: readonly number[] | null;
      cachedTokens: number | null;
    }
>;

/** What a token engine can do. */
export type EngineCapabilities = Readonly<{
  streaming: boolean;
  /** How an abort reaches the engine. */
  abort: 'engine' | 'connection' | 'none';
  score: boolean;
  /** null = not known. */
  vocabularySize: number | null;
  contextTokens: number | null;
}>;

/**
 * Ids in, ids and log-probs out. Refuses ids outside the vocabulary (`TOKENS_INVALID`) and engines
 * without log-probs (`TOKENS_MISSING`).
 */
export interface TokenEngine {
  readonly specificationVersion: 'v1';
  readonly id: string;
  readonly modelId: string;
  readonly capabilities: EngineCapabilities;
  /** Throws `ModelError` from the iterator; a retry restarts the deltas. */
  generate(request: GenerateRequest, context: ModelCallContext): AsyncIterable<TokenEvent>;
  /** Log-probs of given ids, one entry a position; null = the engine gives none there (the first). */
  score?(
    ids: readonly number[],
    topK: number,
    signal: AbortSignal,
  ): Promise<readonly (PositionScore | null)[]>;
  /** Its own reading of a text, names of special tokens as those tokens, nothing around it: to compare a tokenizer with. */
  tokenize?(text: string, signal: AbortSignal): Promise<readonly number[]>;
  close?(): Promise<void>;
}

/** The engine's opinion of one position. */
export type PositionScore = Readonly<{
  logprob: number;
  topIds: readonly number[];
  topLogprobs: readonly number[];
}>;

/** Text to ids and back. Exact, or an error (`UNSUPPORTED`); never an approximation. */
export interface Tokenizer {
  readonly id: string;
  readonly vocabularySize: number;
  readonly specialTokens: ReadonlyMap<string, number>;
  /** null = the model has none. */
  readonly bosId: number | null;
  readonly turnEndIds: readonly number[];
  /**
   * `addSpecial`: also what the tokenizer adds around a text, default false. `parseSpecial`: read
   * the names of special tokens as those tokens, default true; false = look-alikes are text.
   */
  encode(
    text: string,
    options?: Readonly<{ addSpecial?: boolean; parseSpecial?: boolean }>,
  ): number[];
  /** Keeps special tokens unless `skipSpecial`. */
  decode(ids: readonly number[], options?: { readonly skipSpecial?: boolean }): string;
  /** An incremental decoder that never splits a character. */
  decoder(): { push(ids: readonly number[]): string; finish(): string };
  /** Renders a conversation through the chat template. */
  render(request: RenderRequest): RenderedPrompt;
}

/** A conversation to render. */
export type RenderRequest = Readonly<{
  messages: readonly Message[];
  tools?: readonly ToolSchema[];
  /** True: end with the opening of the model's turn. */
  generationPrompt: boolean;
  arguments?: JsonObject;
}>;

/** A rendered conversation; `spans` has one entry for each message that left text. */
export type RenderedPrompt = Readonly<{
  text: string;
  ids: readonly number[];
  spans: readonly TokenSpan[];
}>;

/** The ids `[start, end)` of one message. */
export type TokenSpan = Readonly<{
  /** Index of the message. */
  message: number;
  start: number;
  end: number;
  /** True for what a model would sample. */
  generated: boolean;
}>;
