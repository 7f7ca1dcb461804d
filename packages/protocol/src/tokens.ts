import type { JsonObject } from './json.ts';
import type { Message, ToolSchema } from './messages.ts';
import type { ModelAttempt, ModelCallContext, Sampling } from './model.ts';

export type SegmentReason =
  | 'start'
  | 'history_rewritten'
  | 'unknown_assistant_text'
  | 'tools_changed'
  | 'template_not_append_only'
  | 'branch'
  | 'session_reset';
/** ids, mask, logprobs: equal length. Context: mask -100, logprob 1.0. Sampled: mask = id, logprob finite and <= 0. placeholder: made up, may never reach a trainer. */
export type TokenSegment = Readonly<{
  index: number;
  invocationId: string;
  openedBecause: SegmentReason;
  source: 'engine' | 'placeholder';
  ids: readonly number[];
  mask: readonly number[];
  logprobs: readonly number[];
  weightVersions: readonly string[];
}>;
export type GenerateRequest = Readonly<{
  ids: readonly number[];
  n: number;
  sampling: Sampling;
  stopIds?: readonly number[];
}>;
export type TokenFinish = Readonly<
  | { type: 'stop'; matchedId: number | null; matchedText: string | null }
  | { type: 'length' }
  | { type: 'abort' }
>;
/** ids includes the stop id when the engine produced it. ids.length === logprobs.length, never padded. */
export type TokenOutput = Readonly<{
  ids: readonly number[];
  logprobs: readonly number[];
  finish: TokenFinish;
  weightVersion: string | null;
}>;
export type TokenEvent = Readonly<
  | { type: 'attempt_start'; attemptId: string; number: number }
  | { type: 'attempt_end'; attempt: ModelAttempt }
  | { type: 'tokens_delta'; choice: number; ids: readonly number[]; logprobs: readonly number[] }
  | {
      type: 'result';
      outputs: readonly TokenOutput[];
      promptIds: readonly number[] | null;
      cachedTokens: number | null;
    }
>; // promptIds null = no echo to check
export type EngineCapabilities = Readonly<{
  streaming: boolean;
  abort: 'engine' | 'connection' | 'none';
  score: boolean;
  vocabularySize: number | null;
  contextTokens: number | null;
}>;
/** Ids in, ids and log-probs out. Refuses ids outside the vocabulary (TOKENS_INVALID) and engines without log-probs (TOKENS_MISSING). A retry restarts the deltas. */
export interface TokenEngine {
  readonly specificationVersion: 'v1';
  readonly id: string;
  readonly modelId: string;
  readonly capabilities: EngineCapabilities;
  generate(request: GenerateRequest, context: ModelCallContext): AsyncIterable<TokenEvent>;
  score?(
    ids: readonly number[],
    topK: number,
    signal: AbortSignal,
  ): Promise<readonly (PositionScore | null)[]>; // per position; null = the engine gives none (first)
  close?(): Promise<void>;
}
export type PositionScore = Readonly<{
  logprob: number;
  topIds: readonly number[];
  topLogprobs: readonly number[];
}>;
/** Exact or an error (UNSUPPORTED), never an approximation. encode adds no special tokens unless asked; decode keeps them unless asked. */
export interface Tokenizer {
  readonly id: string;
  readonly vocabularySize: number;
  readonly specialTokens: ReadonlyMap<string, number>;
  readonly bosId: number | null;
  readonly turnEndIds: readonly number[];
  encode(
    text: string,
    options?: Readonly<{ addSpecial?: boolean; parseSpecial?: boolean }>,
  ): number[]; // parseSpecial default true; false: look-alikes are text
  decode(ids: readonly number[], options?: { readonly skipSpecial?: boolean }): string;
  decoder(): { push(ids: readonly number[]): string; finish(): string }; // never splits a character
  render(request: RenderRequest): RenderedPrompt;
}
export type RenderRequest = Readonly<{
  messages: readonly Message[];
  tools?: readonly ToolSchema[];
  generationPrompt: boolean;
  arguments?: JsonObject;
}>;
/** spans: one per message that left text, [start, end) in ids; generated = what a model would sample. */
export type RenderedPrompt = Readonly<{
  text: string;
  ids: readonly number[];
  spans: readonly TokenSpan[];
}>;
export type TokenSpan = Readonly<{
  message: number;
  start: number;
  end: number;
  generated: boolean;
}>;
