import { JsonScanner } from './json-scanner.ts';
import { trimSpace } from './whitespace.ts';

/** The value of a JSON string's text. */
export function decodeString(text: string): string {
  return text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1);
}

/** The text if it is exactly one JSON value, white space around it aside; else null. */
export function wholeJson(text: string): string | null {
  const trimmed = trimSpace(text);
  if (!mayBeJson(trimmed)) return null;
  return scanWhole(trimmed, new JsonScanner(false, 1000));
}

/** The text if it is exactly one JSON object, after the usual repairs; else null. */
export function objectText(text: string, repair: boolean, maxDepth: number): string | null {
  return text.startsWith('{') ? scanWhole(text, new JsonScanner(repair, maxDepth)) : null;
}

function scanWhole(text: string, scanner: JsonScanner): string | null {
  const window = { text, pos: 0, isLast: true };
  const isWhole = scanner.scan(window) === 'done' && window.pos === text.length;
  return isWhole ? scanner.take() : null;
}

function mayBeJson(text: string): boolean {
  return text !== '' && '{["-0123456789tfn'.includes(text.charAt(0));
}
