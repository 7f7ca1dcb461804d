import { TextWindow } from '../text-window.ts';
import { JsonScanner } from './json-scanner.ts';
import { decodeString } from './json-text.ts';

/** One member of an object: its decoded key and the exact text of its value. */
export type JsonMember = Readonly<{ key: string; value: string }>;

/** The members of a JSON object in their order, duplicates included. Throws a TypeError on anything else. */
export function membersOf(text: string): readonly JsonMember[] {
  const members: JsonMember[] = [];
  let key: string | undefined;
  for (const [part, isKey] of partsOf(text)) {
    if (!isKey && key === undefined) throw new TypeError('arguments must be a JSON object');
    if (isKey) key = decodeString(part);
    else members.push({ key: key ?? '', value: part });
  }
  return members;
}

/** The exact texts of the elements of a JSON array. Throws on text that is no JSON. */
export function elementsOf(text: string): readonly string[] {
  return partsOf(text).map(([part]) => part);
}

const strictly = { repair: false, maxDepth: 1000 };

function partsOf(text: string): readonly (readonly [part: string, isKey: boolean])[] {
  const window = new TextWindow(text, true);
  const scanner = new JsonScanner(window, strictly, 1);
  const parts: (readonly [string, boolean])[] = [];
  for (;;) {
    const status = scanner.scan();
    if (status === 'done' && !window.skipSpace()) return parts;
    if (status !== 'part') throw new TypeError(`arguments are no JSON: see position ${window.pos}`);
    parts.push([scanner.take(), scanner.isKey]);
  }
}
