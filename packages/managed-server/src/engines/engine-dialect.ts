import type { PositionScore, Sampling, TokenOutput } from '@hermes/protocol';
import type { WireRequest } from '../wire/engine-wire.ts';

/** Everything that is sampled with, said in full: what a server is not told it takes from the model's own settings. */
export type FullSampling = Required<Omit<Sampling, 'seed'>> & Pick<Sampling, 'seed'>;

/** A question to a server, in our words. */
export type EngineQuestion = Readonly<{
  /** The name that the server knows the model by. */
  model: string;
  ids: readonly number[];
  n: number;
  sampling: FullSampling;
  stopIds: readonly number[];
  /** A name for this request, for servers that abort by name. */
  requestId: string;
}>;

/** An answer of a server, in our words. */
export type DialectAnswer = Readonly<{
  outputs: readonly TokenOutput[];
  /** null = the server does not repeat the prompt. */
  promptIds: readonly number[] | null;
  cachedTokens: number | null;
}>;

/** New tokens of one choice. */
export type TokenPiece = Readonly<{
  choice: number;
  ids: readonly number[];
  logprobs: readonly number[];
}>;

/** Reads the events of one stream. */
export interface StreamReader {
  push(event: unknown): readonly TokenPiece[];
  /** null = the stream ended before the answer did. */
  finish(): DialectAnswer | null;
}

/**
 * How one kind of server is asked for tokens. Readers throw a `ModelError`: `BAD_RESPONSE` for what
 * has another shape, `TOKENS_MISSING` where ids or log-probs are left out.
 */
export interface EngineDialect {
  /** What `serverType` is called in a configuration. */
  readonly name: string;
  /** `engine`: it is told; `connection`: closing the connection is enough. */
  readonly abort: 'engine' | 'connection';
  /** Whether one request may ask for several answers with this sampling. */
  takesMany(sampling: FullSampling): boolean;
  question(question: EngineQuestion): WireRequest;
  readAnswer(body: unknown, question: EngineQuestion): DialectAnswer;
  /** Absent: asked for whole answers only. */
  readonly streaming?: Readonly<{
    question(question: EngineQuestion): WireRequest;
    reader(question: EngineQuestion): StreamReader;
  }>;
  /** Tells the server that nobody waits for a request any more. */
  abortRequest?(question: EngineQuestion): WireRequest;
  /** The log-probs of given ids. */
  readonly scoring?: Readonly<{
    question(model: string, ids: readonly number[], topK: number): WireRequest;
    read(body: unknown, ids: readonly number[]): readonly (PositionScore | null)[];
  }>;
  /** The server's own reading of a text. */
  readonly tokenizing?: Readonly<{
    question(model: string, text: string): WireRequest;
    read(body: unknown): readonly number[];
  }>;
}
