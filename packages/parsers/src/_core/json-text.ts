import { type JsonLimits, JsonScanner } from './json-scanner.ts';
import type { Machine } from './machine.ts';
import { TextWindow } from './text-window.ts';
import { trimSpace } from './whitespace.ts';

/** A JSON value: its first character and its exact text. */
export type JsonPart = Readonly<{ kind: string; text: string }>;

/** The value of a JSON string's text. */
export function decodeString(text: string): string {
  return text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1);
}

/** The text if it is exactly one JSON value, white space around it aside; else null. */
export function wholeJson(text: string): string | null {
  return scanWhole(trimSpace(text), { repair: false, maxDepth: 1000 });
}

/** The argument object that a value stands for, its own text; null when it stands for none. */
export function argumentsText(
  machine: Machine,
  value: JsonPart | undefined,
  start: number,
): string | null {
  const { kind, text: json } = value ?? { kind: 'n', text: '' };
  if (kind === '{') return json;
  if (kind !== 'n' && kind !== '"') return null;
  const text = kind === 'n' ? '' : trimSpace(decodeString(json));
  if (text === '') {
    machine.note('missing_arguments', start);
    return '{}';
  }
  const object = text.startsWith('{') ? scanWhole(text, machine.options) : null;
  if (object !== null) machine.note('arguments_unwrapped', start);
  return object;
}

function scanWhole(text: string, limits: JsonLimits): string | null {
  const window = new TextWindow(text, true);
  const scanner = new JsonScanner(window, limits);
  const isWhole = scanner.scan() === 'done' && window.pos === text.length;
  return isWhole ? scanner.take() : null;
}
