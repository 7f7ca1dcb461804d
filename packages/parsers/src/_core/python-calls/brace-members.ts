import type { ToolSchema } from '../../types.ts';
import { wholeJson } from '../json/whole-json.ts';
import { coerce } from '../text-calls/coerce.ts';
import { type JsonType, parametersOf, typesOf } from '../text-calls/schema.ts';
import { PythonReader } from './python-literal.ts';

/** The members of a call's braces as compact JSON. */
export type BraceMembers = Readonly<{
  json: string;
  isRepaired: boolean;
  problems: readonly (readonly [code: 'duplicate_key' | 'coercion_failed', parameter: string])[];
}>;

/** Of which call of these tools the values are, when their types come from the schema. */
export type TypeSource = Readonly<{ tools: readonly ToolSchema[] | undefined; name: string }>;

/** Reads `key:value,...` with bare keys; null when it breaks the grammar. */
export function readBraceMembers(
  text: string,
  quote: string,
  maxDepth: number,
  source: TypeSource | null,
): BraceMembers | null {
  const reader = new PythonReader(text, maxDepth - 1, quote);
  const members = new Map<string, string>();
  const problems: (readonly ['duplicate_key' | 'coercion_failed', string])[] = [];
  let isNext = true;
  while (reader.skip() < text.length) {
    const key = isNext ? reader.key() : null;
    if (!key?.startsWith('"') || !reader.colon()) return null;
    const parameter = JSON.parse(key) as string;
    const value =
      source === null
        ? plainValue(reader)
        : typedValue(reader, typesOfParameter(source, parameter));
    if (value === null) return null;
    if (members.has(key)) problems.push(['duplicate_key', parameter]);
    else {
      members.set(key, value.json);
      if (value.isFailed) problems.push(['coercion_failed', parameter]);
    }
    isNext = reader.take(',');
  }
  const json = `{${[...members].map(([key, value]) => `${key}:${value}`).join(',')}}`;
  return { json, isRepaired: reader.isRepaired, problems };
}

type Value = Readonly<{ json: string; isFailed: boolean }>;

function typesOfParameter({ tools, name }: TypeSource, parameter: string) {
  return typesOf(parametersOf(tools, name), parameter);
}

function plainValue(reader: PythonReader): Value | null {
  const json = reader.value();
  return json === null ? null : { json, isFailed: false };
}

/** A quoted value is text of the declared type; any other is JSON, or else a string. */
function typedValue(reader: PythonReader, types: ReadonlySet<JsonType> | null): Value | null {
  const own = reader.ownString();
  if (own !== null) return coerce(own, types);
  const from = reader.pos;
  const json = reader.value();
  const isEnd = json !== null && /^$|,/.test(reader.text.charAt(reader.skip()));
  if (isEnd)
    return { json: wholeJson(reader.text.slice(from, reader.pos)) ?? json, isFailed: false };
  const end = reader.text.indexOf(',', from);
  reader.pos = end < 0 ? reader.text.length : end;
  const word = reader.text.slice(from, reader.pos).trim();
  return word === '' ? null : { json: JSON.stringify(word), isFailed: true };
}
