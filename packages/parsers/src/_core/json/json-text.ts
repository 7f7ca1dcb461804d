import type { Machine } from '../machine.ts';
import { TextWindow } from '../text-window.ts';
import { type JsonLimits, JsonScanner } from './json-scanner.ts';

/** A JSON value: its first character and its exact text. */
export type JsonPart = Readonly<{ kind: string; text: string }>;

/** The value of a JSON string's text. */
export function decodeString(text: string): string {
  return text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1);
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
  const window = new TextWindow(kind === 'n' ? '' : decodeString(json), true);
  if (!window.skipSpace()) {
    machine.note('missing_arguments', start);
    return '{}';
  }
  const object = window.character === '{' ? scanWhole(window, machine.options) : null;
  if (object !== null) machine.note('arguments_unwrapped', start);
  return object;
}

/** The JSON text of the value in the window if nothing else is in it; else null. */
export function scanWhole(window: TextWindow, limits: JsonLimits): string | null {
  const scanner = new JsonScanner(window, limits);
  return scanner.scan() === 'done' && !window.skipSpace() ? scanner.take() : null;
}
