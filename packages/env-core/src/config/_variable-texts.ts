import type { Traced } from './value-source.ts';

/** `${MY_KEY}` or `$MY_KEY`, as shells write it. */
const VARIABLE = /^\$(?:\{(\w+)\}|([A-Z_][A-Z0-9_]*))$/;

/** Problems with values of a server that are meant to come from variables: nothing reads them there. */
export function variableTexts(path: string, given: Traced): readonly string[] {
  return Object.entries(given).flatMap(([key, { value }]) => {
    const match = typeof value === 'string' ? VARIABLE.exec(value) : null;
    if (match === null) return [];
    const name = match[1] ?? match[2];
    const way = key === 'api_key' ? `write api_key_env: ${name}` : 'write the value itself';
    return [`${path}.${key}: files do not read variables; ${way}`];
  });
}
