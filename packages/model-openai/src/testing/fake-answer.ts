import type { JsonObject, JsonValue } from '@hermes/protocol';

/** A tool call of a scripted answer. */
export type FakeToolCall = Readonly<{
  /** Absent: `call_<request>_<position>`. null: none is sent. */
  id?: string | null;
  name: string;
  /** A text is sent as it is, also when it is not JSON; anything else as its JSON. Default `{}`. */
  arguments?: JsonValue;
}>;

/** What goes wrong on the way. Where it happens in mid answer, `afterChunks` says when. */
export type FakeFault =
  /** The connection is reset before any byte of an answer. */
  | 'reset'
  /** Nothing comes, ever. */
  | 'hang'
  /** The connection is reset in mid stream, or in the middle of a whole body. */
  | 'cut'
  /** The stream ends politely in the middle: no finish reason, no `[DONE]`. */
  | 'end_early'
  /** Nothing more comes in mid stream, or in the middle of a whole body. */
  | 'stall'
  /** A chunk, or the whole body, is no JSON. */
  | 'nonsense'
  /** `choices` is empty. */
  | 'no_choices'
  /** The choice has neither `message` nor `delta`. */
  | 'no_message'
  /** 200 and a body that is an error, or an error chunk in mid stream. */
  | 'error_body';

/** An answer of the model. Everything is optional: `{}` is an empty answer. */
export type FakeCompletion = Readonly<{
  /** Default `''`, and null beside tool calls. */
  content?: string | null;
  reasoning?: string;
  /** Where the server puts it; default `reasoning_content`. */
  reasoningField?: 'reasoning_content' | 'reasoning' | 'reasoning_details';
  toolCalls?: readonly FakeToolCall[];
  /** True: the first tool call is sent in the old form, as `function_call`. */
  legacyFunctionCall?: boolean;
  /** True: the deltas of tool calls do not say which call they belong to. */
  withoutIndex?: boolean;
  /** Default `tool_calls` with calls, else `stop`. */
  finishReason?: string | null;
  /** Default: counted by words. null: the server tells none. */
  usage?: JsonObject | null;
  /** Default: the one that was asked for. */
  model?: string;
  headers?: Readonly<Record<string, string>>;
  /** Waits so long before the first byte. */
  delayMs?: number;
  /** Waits so long before each chunk of a stream: a slow drip. */
  everyMs?: number;
  fault?: FakeFault;
  /** How many chunks come before the fault; default 2. After a shorter stream it comes at its end. */
  afterChunks?: number;
}>;

/** An answer that is not the model's: a status, headers and a body. */
export type FakeHttpAnswer = Readonly<{
  status: number;
  /** A text is sent as it is. */
  body: JsonValue;
  headers?: Readonly<Record<string, string>>;
  delayMs?: number;
}>;

/** A text is a final answer. */
export type FakeAnswer = string | FakeCompletion | FakeHttpAnswer;

/** True for a status with a body. */
export function isHttpAnswer(answer: FakeCompletion | FakeHttpAnswer): answer is FakeHttpAnswer {
  return 'status' in answer;
}

/** The chunks that come before the fault. */
export function chunksBeforeFault(answer: FakeCompletion): number {
  return answer.afterChunks ?? 2;
}
