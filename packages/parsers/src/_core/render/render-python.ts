import type { ToolCall } from '../../types.ts';
import { membersOf } from '../json/json-members.ts';

/** The call as Python writes it. Keys that are no Python name travel in a `**` dictionary. */
export function renderPythonCall({ function: { name, arguments: text } }: ToolCall): string {
  const parts = membersOf(text).map(({ key, value }) => {
    const literal = pythonValue(value);
    return isPythonName(key) ? `${key}=${literal}` : `**{${JSON.stringify(key)}: ${literal}}`;
  });
  return `${name}(${parts.join(', ')})`;
}

/** JSON text as a Python literal: only the three words differ outside of strings. */
function pythonValue(json: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"|true|false|null/gs, (part) => {
    if (part.startsWith('"')) return JSON.stringify(JSON.parse(part));
    return part === 'null' ? 'None' : part === 'true' ? 'True' : 'False';
  });
}

function isPythonName(key: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(key);
}
