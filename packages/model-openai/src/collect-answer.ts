import type {
  AssistantMessage,
  ChatDelta,
  ChatResult,
  FinishReason,
  IdMaker,
  ModelNote,
  Usage,
} from '@hermes/protocol';
import { field, textOf } from './_json.ts';
import { collectToolCalls, type ToolCallCollector } from './collect-tool-calls.ts';
import { finishReason } from './finish-reason.ts';
import { firstChoice, numbered, readContent } from './read-message.ts';
import { readReasoning } from './read-reasoning.ts';
import { readCost, readUsage, UNKNOWN_USAGE } from './read-usage.ts';

/** What an answer consists of, as far as it has come. */
export interface AnswerCollector {
  /** Takes a chunk of a stream, or a whole completion, and tells what is new. */
  add(body: unknown): readonly ChatDelta[];
  /** False: no choice had a message or a delta. */
  hasMessage(): boolean;
  /** The server's own word; null = it has not said why it ended. */
  finish(): string | null;
  usage(): Usage;
  ids(): Pick<ChatResult, 'responseId' | 'modelId'>;
  result(): ChatResult;
}

type State = {
  content: string;
  reasoning: string;
  hasMessage: boolean;
  isLegacy: boolean;
  finish: string | null;
  responseId: string | null;
  modelId: string | null;
  usage: unknown;
  /** The body of an answer in one piece. */
  whole: unknown;
};

/** A collector for one attempt. Only the first choice counts: more are never asked for. */
export function collectAnswer(newId: IdMaker): AnswerCollector {
  const calls = collectToolCalls(newId);
  const state: State = {
    content: '',
    reasoning: '',
    hasMessage: false,
    isLegacy: false,
    finish: null,
    responseId: null,
    modelId: null,
    usage: null,
    whole: undefined,
  };
  const usage = () => (state.usage === null ? UNKNOWN_USAGE : readUsage(state.usage));
  const ids = () => ({ responseId: state.responseId, modelId: state.modelId });
  return {
    add: (body) => addBody(state, calls, body),
    hasMessage: () => state.hasMessage,
    finish: () => state.finish,
    usage,
    ids,
    result: () => ({
      message: messageOf(state, calls),
      finishReason: reasonOf(state, calls),
      ...ids(),
      usage: usage(),
      costUsd: readCost(state.usage),
      tokens: null,
      notes: notesOf(state, calls),
      ...(state.whole !== undefined && { raw: state.whole }),
    }),
  };
}

function addBody(state: State, calls: ToolCallCollector, body: unknown): readonly ChatDelta[] {
  state.responseId = textOf(field(body, 'id')) ?? state.responseId;
  state.modelId = textOf(field(body, 'model')) ?? state.modelId;
  state.usage = field(body, 'usage') ?? state.usage;
  const choice = firstChoice(field(body, 'choices'));
  state.finish = textOf(field(choice, 'finish_reason')) ?? state.finish;
  const whole = field(choice, 'message') ?? undefined;
  if (whole !== undefined) state.whole = body;
  const message = field(choice, 'delta') ?? numbered(whole);
  return message === undefined || message === null ? [] : addMessage(state, calls, message);
}

function addMessage(
  state: State,
  calls: ToolCallCollector,
  message: unknown,
): readonly ChatDelta[] {
  state.hasMessage = true;
  const reasoning = readReasoning(message) ?? '';
  const content = readContent(message);
  state.reasoning += reasoning;
  state.content += content;
  return [
    ...(reasoning === '' ? [] : [{ type: 'reasoning_delta', text: reasoning } as const]),
    ...(content === '' ? [] : [{ type: 'content_delta', text: content } as const]),
    ...entriesOf(state, message).flatMap((entry) => calls.add(entry)),
  ];
}

/** The old `function_call` is the one call there is. */
function entriesOf(state: State, message: unknown): readonly unknown[] {
  const entries = field(message, 'tool_calls');
  if (Array.isArray(entries) && entries.length > 0) return entries;
  const legacy = field(message, 'function_call');
  if (legacy === undefined || legacy === null) return [];
  state.isLegacy = true;
  return [{ index: 0, function: legacy }];
}

function messageOf(state: State, calls: ToolCallCollector): AssistantMessage {
  const toolCalls = calls.calls();
  return {
    role: 'assistant',
    content: state.content,
    ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
    ...(state.reasoning !== '' && { reasoning_content: state.reasoning }),
  };
}

function reasonOf(state: State, calls: ToolCallCollector): FinishReason {
  return finishReason(state.finish, calls.calls().length > 0);
}

function notesOf(state: State, calls: ToolCallCollector): readonly ModelNote[] {
  const notes: ModelNote[] = [];
  if (state.isLegacy) notes.push(note('LEGACY_FUNCTION_CALL', 'The call came as function_call.'));
  else if (calls.idsMade() > 0) {
    notes.push(note('CALL_ID_MISSING', `${calls.idsMade()} calls came without an id and got one.`));
  }
  return notes;
}

function note(code: string, message: string): ModelNote {
  return { level: 'info', code, message };
}
