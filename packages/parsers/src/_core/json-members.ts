import { JsonScanner } from './json-scanner.ts';
import { decodeString } from './json-text.ts';
import { skipSpace } from './whitespace.ts';

/** One member of an object: its decoded key and the exact text of its value. */
export type JsonMember = Readonly<{ key: string; value: string }>;

/** The members of a JSON object in their order, duplicates included. Throws on anything else. */
export function membersOf(text: string): readonly JsonMember[] {
  const window = { text, pos: skipSpace(text, 0), isLast: true };
  const members: JsonMember[] = [];
  expectAt(window, '{');
  while (text.charAt(skipTo(window)) !== '}') {
    if (members.length > 0) expectAt(window, ',');
    skipTo(window);
    const key = decodeString(scanValue(window));
    expectAt(window, ':');
    members.push({ key, value: scanValue(window) });
  }
  return members;
}

/** The exact texts of the elements of a JSON array. Throws on anything else. */
export function elementsOf(text: string): readonly string[] {
  const window = { text, pos: skipSpace(text, 0), isLast: true };
  const elements: string[] = [];
  expectAt(window, '[');
  while (text.charAt(skipTo(window)) !== ']') {
    if (elements.length > 0) expectAt(window, ',');
    elements.push(scanValue(window));
  }
  return elements;
}

type Window = { readonly text: string; pos: number; readonly isLast: boolean };

function skipTo(window: Window): number {
  window.pos = skipSpace(window.text, window.pos);
  return window.pos;
}

function expectAt(window: Window, character: string): void {
  if (window.text.charAt(skipTo(window)) !== character) {
    throw new SyntaxError(
      `the arguments of a call are no JSON object: ${character} is missing at ${window.pos}`,
    );
  }
  window.pos += 1;
}

function scanValue(window: Window): string {
  const scanner = new JsonScanner(false, 1000);
  if (scanner.scan(window) !== 'done') {
    throw new SyntaxError(`the arguments of a call are no JSON object: see position ${window.pos}`);
  }
  return scanner.take();
}
