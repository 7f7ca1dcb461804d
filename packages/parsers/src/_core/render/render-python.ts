import type { ToolCall } from '../../types.ts';
import { membersOf } from '../json/json-members.ts';
import { rewriteJson } from '../json/json-strings.ts';
import { respell } from './render.ts';

/** The call as Python writes it. Keys that are no Python name travel in a `**` dictionary. */
export function renderPythonCall({ function: { name, arguments: text } }: ToolCall): string {
  const parts = membersOf(text).map(({ key, value }) => {
    const literal = pythonValue(value);
    return isPythonName(key) ? `${key}=${literal}` : `**{${JSON.stringify(key)}: ${literal}}`;
  });
  return `${name}(${parts.join(', ')})`;
}

const pythonWords: Readonly<Record<string, string>> = {
  true: 'True',
  false: 'False',
  null: 'None',
};

/** JSON text as a Python literal: only the three words differ outside of strings. */
function pythonValue(json: string): string {
  return rewriteJson(json, respell, (other) =>
    other.replace(/true|false|null/g, (word) => pythonWords[word] ?? word),
  );
}

function isPythonName(key: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(key);
}
