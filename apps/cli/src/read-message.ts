import type { RenderableMessage, ToolCall } from '@hermes/parsers';
import { HermesError } from '@hermes/protocol';
import { isRecord } from './is-record.ts';

/** A message out of JSON: the result of a parser, or an assistant message as chat APIs have it. */
export function readMessage(json: string): RenderableMessage {
  const value = parseJson(json);
  if (!isRecord(value)) throw badMessage('a JSON object is needed');
  const calls = value.toolCalls ?? value.tool_calls ?? [];
  if (!Array.isArray(calls)) throw badMessage('the tool calls are no list');
  return {
    content: textOf(value.content, 'content'),
    reasoning: textOf(value.reasoning ?? value.reasoning_content, 'reasoning'),
    toolCalls: calls.map(callOf),
  };
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw badMessage(cause instanceof Error ? cause.message : String(cause), cause);
  }
}

/** A text, the text parts of a list, or nothing. */
function textOf(value: unknown, name: string): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) throw badMessage(`${name} is no text`);
  return value.map((part) => textOf(isRecord(part) ? part.text : part, name) ?? '').join('');
}

function callOf(value: unknown, index: number): ToolCall {
  const body = isRecord(value) ? (value.function ?? value) : value;
  const name = isRecord(body) ? body.name : undefined;
  if (!isRecord(body) || typeof name !== 'string' || name === '')
    throw badMessage(`tool call ${index + 1} has no name`);
  const id = isRecord(value) && typeof value.id === 'string' ? value.id : '';
  return { id, type: 'function', function: { name, arguments: argumentsOf(body, index) } };
}

/** The text is kept as it is: its numbers and the order of its keys count. */
function argumentsOf(body: Readonly<Record<string, unknown>>, index: number): string {
  const given = body.arguments ?? {};
  const text = typeof given === 'string' ? given : JSON.stringify(given);
  if (isRecord(parseArguments(text, index))) return text;
  throw badMessage(`the arguments of tool call ${index + 1} are no JSON object`);
}

function parseArguments(text: string, index: number): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw badMessage(`the arguments of tool call ${index + 1} are no JSON: ${reason}`, cause);
  }
}

function badMessage(reason: string, cause?: unknown): HermesError {
  return new HermesError('data', 'CONFIG', `the message on stdin: ${reason}`, { cause });
}
