import type { ChatDelta, ChatRequest, ChatResult } from '@hermes/protocol';
import type { Refusal } from '../http/refusal.ts';

/** A request of an agent, read. */
export type AgentCall = Readonly<{
  request: ChatRequest;
  /** How many answers. */
  count: number;
  isStream: boolean;
  /** A stream that ends with the counts of tokens, also where the dialect does so only when asked. */
  wantsUsage: boolean;
}>;

/** What an answer says of itself. */
export type AnswerIdentity = Readonly<{ id: string; modelId: string; createdAtSeconds: number }>;

/** Writes a stream of server-sent events. Each call returns text for the wire. */
export interface StreamWriter {
  push(delta: ChatDelta): string;
  finish(result: ChatResult): string;
  /** For a fault in the middle of the stream. */
  fail(refusal: Refusal): string;
}

/** An API that agents speak. */
export interface Dialect {
  readonly name: 'chat' | 'messages';
  /** Throws a Refusal. */
  read(body: unknown): AgentCall;
  answer(results: readonly ChatResult[], identity: AnswerIdentity): unknown;
  stream(call: AgentCall, identity: AnswerIdentity): StreamWriter;
  refusal(refusal: Refusal): unknown;
}
