import { ModelError, type ModelErrorCode } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import type { ToolCall } from '../messages.ts';
import type {
  ChatRequest,
  ChatResult,
  FinishReason,
  ModelCallContext,
  ModelNote,
  Usage,
} from '../model.ts';

/** A tool call of a scripted answer. */
export type ScriptedCall = Readonly<{
  /** Default `call_<model call>_<index>`; `''` plays a server that forgets ids. */
  id?: string;
  name: string;
  /** An object is written as JSON; a string is sent as it is, also when it is not JSON. */
  arguments?: string | JsonObject;
}>;

/** One answer of a scripted model. Everything is optional: `{}` is an empty answer. */
export type ScriptedAnswer = Readonly<{
  content?: string;
  reasoning?: string;
  calls?: readonly ScriptedCall[];
  /** Default `tool_calls` with calls, else `stop`. */
  finishReason?: FinishReason;
  /** What is absent: 10 input and 5 output tokens, nothing cached. */
  usage?: Partial<Usage>;
  /** Default null. */
  costUsd?: number | null;
  notes?: readonly ModelNote[];
  raw?: unknown;
  /** Attempts that fail before the one that counts. */
  failedAttempts?: readonly ModelErrorCode[];
  /** Thrown after all deltas, in place of the result. */
  error?: ModelErrorCode | Error;
  /** True: after all deltas nothing more comes until the call is aborted. */
  hang?: boolean;
  /** Waits so long before the first delta; overrides the option of the model. */
  latencyMs?: number;
}>;

/** A text is a final answer; an error is thrown. */
export type ScriptedTurn = string | ScriptedAnswer | Error;

/** One turn for every call, a list to play in order, or a function of the request (`call` is 0-based). */
export type Script =
  | ScriptedTurn
  | readonly ScriptedTurn[]
  | ((
      request: ChatRequest,
      context: ModelCallContext,
      call: number,
    ) => ScriptedTurn | Promise<ScriptedTurn>);

/** What the script says to one call. A list that is used up fails the call. */
export async function answerOf(
  script: Script,
  request: ChatRequest,
  context: ModelCallContext,
  call: number,
): Promise<ScriptedAnswer> {
  const turn =
    typeof script === 'function' ? await script(request, context, call) : pick(script, call);
  if (typeof turn === 'string') return { content: turn };
  return turn instanceof Error ? { error: turn } : turn;
}

function pick(script: Exclude<Script, (...args: never) => unknown>, call: number): ScriptedTurn {
  if (!isList(script)) return script;
  return (
    script[call] ??
    new ModelError(
      'BAD_REQUEST',
      `The script has ${script.length} turns; call ${call + 1} was made.`,
    )
  );
}

function isList(script: ScriptedTurn | readonly ScriptedTurn[]): script is readonly ScriptedTurn[] {
  return Array.isArray(script);
}

/** The error an answer ends with. */
export function errorOf(error: ModelErrorCode | Error): Error {
  return typeof error === 'string' ? new ModelError(error, `The script says ${error}.`) : error;
}

/** The calls of an answer as a message carries them. */
export function toolCallsOf(answer: ScriptedAnswer, call: number): readonly ToolCall[] {
  return (answer.calls ?? []).map((scripted, index) => ({
    id: scripted.id ?? `call_${call}_${index}`,
    type: 'function',
    function: { name: scripted.name, arguments: argumentsText(scripted.arguments ?? {}) },
  }));
}

function argumentsText(value: string | JsonObject): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The result of an answer. */
export function resultOf(
  answer: ScriptedAnswer,
  calls: readonly ToolCall[],
  modelId: string,
  call: number,
): ChatResult {
  return {
    message: {
      role: 'assistant',
      content: answer.content ?? '',
      ...(calls.length > 0 && { tool_calls: calls }),
      ...(answer.reasoning !== undefined && { reasoning_content: answer.reasoning }),
    },
    finishReason: answer.finishReason ?? (calls.length > 0 ? 'tool_calls' : 'stop'),
    responseId: `response_${call}`,
    modelId,
    usage: usageOf(answer),
    costUsd: answer.costUsd ?? null,
    tokens: null,
    notes: answer.notes ?? [],
    ...(answer.raw !== undefined && { raw: answer.raw }),
  };
}

/** What the answer says it used. */
export function usageOf(answer: ScriptedAnswer): Usage {
  const { inputTokens = 10, outputTokens = 5, ...rest } = answer.usage ?? {};
  const known = inputTokens !== null && outputTokens !== null;
  return {
    inputTokens,
    outputTokens,
    totalTokens: known ? inputTokens + outputTokens : null,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
    ...rest,
  };
}
