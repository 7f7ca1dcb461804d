import { JsonScanner } from './json-scanner.ts';
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
  return scanWhole(trimSpace(text), false, 1000);
}

/** The text if it is exactly one JSON object, after the usual repairs; else null. */
function objectText(text: string, repair: boolean, maxDepth: number): string | null {
  return text.startsWith('{') ? scanWhole(text, repair, maxDepth) : null;
}

/** The argument object that a value stands for, its own text; null when it stands for none. */
export function argumentsText(
  machine: Machine,
  value: JsonPart | undefined,
  start: number,
): string | null {
  const kind = value?.kind ?? 'n';
  if (kind === '{') return value?.text ?? null;
  if (kind !== 'n' && kind !== '"') return null;
  const text = value && kind === '"' ? trimSpace(decodeString(value.text)) : '';
  if (text === '') {
    machine.report('missing_arguments', start);
    return '{}';
  }
  const { repair, maxDepth } = machine.options;
  const object = objectText(text, repair, maxDepth);
  if (object !== null) machine.report('arguments_unwrapped', start);
  return object;
}

function scanWhole(text: string, repair: boolean, maxDepth: number): string | null {
  const window = new TextWindow(text, true);
  const scanner = new JsonScanner(window, repair, maxDepth);
  const isWhole = scanner.scan() === 'done' && window.pos === text.length;
  return isWhole ? scanner.take() : null;
}
