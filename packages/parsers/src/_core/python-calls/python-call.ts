import { PythonReader } from './python-literal.ts';

/** One call, read: its arguments as compact JSON, or what is wrong with them. */
export type PythonCall =
  | Readonly<{ kind: 'call'; json: string; hasPositional: boolean; repeated: readonly string[] }>
  | Readonly<{ kind: 'malformed_call' | 'invalid_arguments' }>;

/**
 * Reads what stands between the brackets of `name(...)`. Positional values take the names of the
 * schema's parameters in their order; without a schema there are none to take.
 */
export function readPythonArguments(
  text: string,
  names: readonly string[],
  maxDepth: number,
): PythonCall {
  // The arguments are an object themselves.
  const reader = new PythonReader(text, maxDepth - 1);
  const members = new Map<string, string>();
  const repeated: string[] = [];
  let positional = 0;
  let isNext = true;
  while (reader.skip() < text.length) {
    if (!isNext) return { kind: 'invalid_arguments' };
    const found = readArgument(reader, names[positional]);
    if (typeof found === 'string') return { kind: found };
    if (found.isPositional) positional += 1;
    for (const [key, value] of found.members) {
      if (members.has(key)) repeated.push(JSON.parse(key) as string);
      else members.set(key, value);
    }
    isNext = reader.take(',');
  }
  const json = `{${[...members].map(([key, value]) => `${key}:${value}`).join(',')}}`;
  return { kind: 'call', json, hasPositional: positional > 0, repeated };
}

type Argument = Readonly<{
  members: readonly (readonly [string, string])[];
  isPositional: boolean;
}>;

function readArgument(
  reader: PythonReader,
  positionalName: string | undefined,
): Argument | 'malformed_call' | 'invalid_arguments' {
  if (reader.text.startsWith('**', reader.pos)) {
    reader.pos += 2;
    const members = reader.dictionary();
    return members === null ? 'invalid_arguments' : { members, isPositional: false };
  }
  const start = reader.pos;
  const keyword = reader.word();
  const isKeyword = keyword !== null && reader.take('=');
  if (!isKeyword) reader.pos = start;
  if (isKeyword && isMissing(reader)) return 'malformed_call';
  const value = reader.value();
  const name = isKeyword ? keyword : positionalName;
  if (value === null || name === undefined) return 'invalid_arguments';
  return { members: [[JSON.stringify(name), value]], isPositional: !isKeyword };
}

function isMissing(reader: PythonReader): boolean {
  const place = reader.skip();
  return place >= reader.text.length || reader.text.charAt(place) === ',';
}
