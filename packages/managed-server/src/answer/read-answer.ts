import type { Diagnostic, ParseResult, ParserEvent, ToolCallParser } from '@hermes/parsers';
import {
  type AssistantMessage,
  type ChatDelta,
  ModelError,
  type ModelNote,
  type Tokenizer,
  type TokenOutput,
  type ToolSchema,
} from '@hermes/protocol';

/** Reads one answer as its tokens come. */
export interface AnswerReader {
  /** Sampled ids, in order; tells what is new in text. */
  push(ids: readonly number[]): readonly ChatDelta[];
  /** The whole answer, with what was not pushed yet. */
  finish(output: TokenOutput): ReadAnswer;
}

/** An answer taken apart. */
export type ReadAnswer = Readonly<{
  deltas: readonly ChatDelta[];
  message: AssistantMessage;
  notes: readonly ModelNote[];
  /** A call was in the text and could not be read. */
  droppedCall: boolean;
}>;

/** What a reader needs to know of the request. */
export type Reading = Readonly<{
  tokenizer: Tokenizer;
  parser: ToolCallParser;
  keepCalls: boolean;
  tools: readonly ToolSchema[];
  startInReasoning: boolean;
  /** Nothing is told before the end: what a stop text cuts off would be told as well. */
  hasStopTexts: boolean;
}>;

/** A reader for one answer of one attempt. */
export function readAnswer(reading: Reading): AnswerReader {
  const { tokenizer } = reading;
  const decoder = tokenizer.decoder();
  const stream = reading.parser.stream(parseOptions(reading));
  const pushed: number[] = [];
  let held: readonly number[] = [];
  let text = '';

  /** The token that ends the turn is no part of the answer: it waits until it is known not to be the last. */
  function take(ids: readonly number[]): string {
    pushed.push(...ids);
    const all = [...held, ...ids];
    const last = all.at(-1);
    const ends = last !== undefined && tokenizer.turnEndIds.includes(last);
    held = ends ? all.slice(-1) : [];
    return decoder.push(ends ? all.slice(0, -1) : all);
  }
  return {
    push(ids) {
      const piece = take(ids);
      if (!reading.hasStopTexts) return deltasOf(reading, stream.push(piece));
      text += piece;
      return [];
    },
    finish(output) {
      requirePrefix(pushed, output.ids);
      const piece = take(output.ids.slice(pushed.length)) + decoder.finish();
      const rest = reading.hasStopTexts ? withoutStop(text + piece, output) : piece;
      const events = stream.push(rest);
      const { events: last, result } = stream.finish();
      return { deltas: deltasOf(reading, [...events, ...last]), ...answerOf(reading, result) };
    },
  };
}

/** Ids of calls are the parser's own: some chat templates refuse any other form than their format's. */
function parseOptions({ tools, startInReasoning }: Reading) {
  return { tools, startInReasoning, delivery: 'whole' } as const;
}

function requirePrefix(streamed: readonly number[], whole: readonly number[]): void {
  if (streamed.every((id, at) => id === whole[at])) return;
  throw new ModelError(
    'TOKENS_INVALID',
    'The engine streamed other tokens than its result holds: look at its log, or use it without streaming.',
  );
}

/** The tokens of a stop text were sampled and are kept; the text ends before it. */
function withoutStop(text: string, { finish }: TokenOutput): string {
  const stop = finish.type === 'stop' ? finish.matchedText : null;
  const at = stop === null || stop === '' ? -1 : text.lastIndexOf(stop);
  return at === -1 ? text : text.slice(0, at);
}

function deltasOf({ keepCalls }: Reading, events: readonly ParserEvent[]): ChatDelta[] {
  return events.flatMap((event): ChatDelta[] => {
    switch (event.type) {
      case 'content':
        return [{ type: 'content_delta', text: event.text }];
      case 'reasoning':
        return [{ type: 'reasoning_delta', text: event.text }];
      case 'call_start':
        return keepCalls
          ? [{ type: 'tool_call_start', index: event.index, id: event.id, name: event.name }]
          : [];
      case 'call_arguments':
        return keepCalls
          ? [{ type: 'tool_call_delta', index: event.index, arguments: event.text }]
          : [];
      default:
        return [];
    }
  });
}

function answerOf({ keepCalls }: Reading, result: ParseResult): Omit<ReadAnswer, 'deltas'> {
  const calls = keepCalls ? result.toolCalls : [];
  return {
    message: {
      role: 'assistant',
      content: result.content ?? '',
      ...(calls.length > 0 && { tool_calls: calls }),
      ...(result.reasoning !== null && { reasoning_content: result.reasoning }),
    },
    notes: keepCalls ? result.diagnostics.map(noteOf) : [],
    droppedCall: keepCalls && result.diagnostics.some(({ level }) => level === 'error'),
  };
}

function noteOf({ code, level, message, name, raw }: Diagnostic): ModelNote {
  return {
    level,
    code,
    message,
    ...(raw !== undefined && { raw }),
    ...(name !== undefined && { toolName: name }),
  };
}
