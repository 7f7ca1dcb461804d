import { TextWindow } from '../text-window.ts';
import { trimSpace } from '../whitespace.ts';
import { jsonWord } from './json-scanner.ts';
import { stringEnd } from './json-strings.ts';
import { scanWhole } from './json-text.ts';

const maxDepth = 1000;
/** From this length on the engine's own parser is faster than reading character by character. */
const longLength = 1000;

/** The text if it is exactly one JSON value, white space around it aside; else null. */
export function wholeJson(text: string): string | null {
  const trimmed = trimSpace(text);
  if (!/^[[{"]/.test(trimmed)) return jsonWord.test(trimmed) ? trimmed : null;
  if (trimmed.length > longLength && !trimmed.startsWith('"'))
    return isJson(trimmed) && depthOf(trimmed) <= maxDepth ? trimmed : null;
  return scanWhole(new TextWindow(trimmed, true), { repair: false, maxDepth });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** How deep the brackets of a JSON text are nested. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 34) index = stringEnd(text, index);
    else if (code === 91 || code === 123) deepest = Math.max(deepest, ++depth);
    else if (code === 93 || code === 125) depth -= 1;
  }
  return deepest;
}
