import type { RenderableMessage, ToolCall } from '../../types.ts';
import { membersOf } from '../json/json-members.ts';
import { rewriteJson } from '../json/json-strings.ts';
import { decodeString } from '../json/json-text.ts';

/** `reasoning` in its tags, then a blank line; nothing when there is none. */
export function renderReasoning(
  message: RenderableMessage,
  [open, close]: readonly [string, string] = ['<think>', '</think>'],
  join = '\n',
): string {
  if (message.reasoning === null) return '';
  return `${open}${join}${message.reasoning}${join}${close}${join}${join}`;
}

/** Content and calls, joined by a line feed that parsers count as markup. */
export function joinBlocks(
  content: string | null,
  calls: readonly string[],
  separator = '\n',
): string {
  const parts = content === null ? calls : [content, ...calls];
  return parts.join(separator);
}

/** `{"name": ..., "arguments": ...}` with the argument text untouched. */
export function renderEnvelope(call: ToolCall, argumentsKey = 'arguments'): string {
  return `{"name": ${JSON.stringify(call.function.name)}, "${argumentsKey}": ${call.function.arguments}}`;
}

/** Formats with one JSON object between two tags per call, and `<think>` tags. */
export function renderTaggedJson(message: RenderableMessage, open: string, close: string): string {
  const calls = message.toolCalls.map((call) => `${open}\n${renderEnvelope(call)}\n${close}`);
  return renderReasoning(message) + joinBlocks(message.content, calls);
}

/** The spelling of an argument text that a format keeps. */
export type Spell = (json: string) => string;

/** What of the message a re-read of its rendering got wrong; undefined when nothing. */
export function differenceOf(
  message: RenderableMessage,
  read: RenderableMessage,
  spell: Spell,
): string | undefined {
  const wanted = essenceOf(message, spell);
  const found = essenceOf(read, spell);
  return Object.keys(wanted).find((part) => wanted[part] !== found[part]);
}

function essenceOf(
  { content, reasoning, toolCalls }: RenderableMessage,
  spell: Spell,
): Readonly<Record<string, string>> {
  const calls = toolCalls.map((call) => call.function.name + spell(call.function.arguments));
  return { content: content ?? '', reasoning: reasoning ?? '', calls: calls.join() };
}

/** JSON without white space and with minimal escapes; key order and numbers as they are. */
export function compactJson(text: string): string {
  return rewriteJson(text, respell, (other) => other.replace(/\s+/g, ''));
}

/** A JSON string with minimal escapes. */
export function respell(json: string): string {
  return JSON.stringify(JSON.parse(json));
}

/** How the members of an argument object are written. */
export type WriteParameter = (key: string, value: string, isString: boolean) => string;

/**
 * Each member of an argument object: strings decoded, all other values as their JSON text. A JSON
 * text with one of the format's `own` tags in a string is spelled without it; where values say
 * their type (`typed`), strings with such a tag are written as JSON, too.
 */
export function renderParameters(
  text: string,
  write: WriteParameter,
  own: RegExp,
  typed = false,
): string {
  return membersOf(text)
    .map(({ key, value }) => {
      const json = own.test(value) ? value.replaceAll('<', '\\u003c') : value;
      if (!value.startsWith('"')) return write(key, json, false);
      const string = decodeString(value);
      return typed && own.test(string) ? write(key, json, false) : write(key, string, true);
    })
    .join('');
}
