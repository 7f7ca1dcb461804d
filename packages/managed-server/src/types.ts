import type { ToolCallParser } from '@hermes/parsers';
import type {
  ChatModel,
  ChatRequest,
  ChatResult,
  Effects,
  ModelCallContext,
  TokenEngine,
  Tokenizer,
  TokenSegment,
} from '@hermes/protocol';

/** What a managed server is made of. */
export type ManagedServerOptions = Readonly<{
  /** Stays the caller's: close it after the server. */
  engine: TokenEngine;
  /** Of the model that the engine serves. */
  tokenizer: Tokenizer;
  /** Of the format in which the model writes its calls. */
  parser: ToolCallParser;
  /** True: earlier thoughts stay in the prompt, whatever the chat template does. Default false: as the template does. */
  keepReasoning?: boolean;
  /** Size of the context window. Default: what the engine says. */
  contextTokens?: number;
  effects?: Partial<Effects>;
  /** Ends the check at the start. */
  signal?: AbortSignal;
}>;

/** One engine and one tokenizer, from which rollouts open their sessions. */
export interface ManagedServer {
  /** Does no I/O. One session a rollout: sessions share no tokens. */
  openSession(rolloutId: string): ManagedSession;
  /** Ends running calls; later ones are refused. Idempotent. */
  close(): Promise<void>;
}

/** The model of one rollout, in token space. */
export interface ManagedSession extends ChatModel {
  readonly rolloutId: string;
  segments(): readonly TokenSegment[];
  /**
   * Several answers to one request: the first goes on with the segment, each other opens one that
   * shares the prompt by copy.
   */
  choices(
    request: ChatRequest,
    count: number,
    context: ModelCallContext,
  ): Promise<readonly ChatResult[]>;
  /**
   * The ids that would be sent for a request: nothing is asked and nothing recorded. `invocationId`: of the agent that would
   * ask. Throws ModelError as `chat` does.
   */
  promptIds(request: ChatRequest, invocationId: string): readonly number[];
  /** Forgets what was said: the next call opens a segment. What was recorded stays in `segments()`. */
  reset(): void;
  close(): Promise<void>;
}
