import { isList, textOf, typeName } from './inspect-value.ts';
import { showFloat } from './show-value.ts';
import { failure } from './template-failure.ts';
import { Dictionary, Float, Tuple, type Value } from './values.ts';

/** The options of `json.dumps` that transformers passes on. */
export type JsonOptions = Readonly<{
  ensureAscii: boolean;
  /** What one level is indented by; null: everything on one line. */
  indent: string | null;
  itemSeparator: string;
  keySeparator: string;
  sortKeys: boolean;
}>;

/** The value as Python's `json.dumps` writes it. */
export function toJson(value: Value, options: JsonOptions, depth = 0): string {
  const scalar = scalarJson(value, options);
  if (scalar !== null) return scalar;
  const items = isList(value) ? value : value instanceof Tuple ? value.items : null;
  if (items !== null) {
    const parts = items.map((item) => toJson(item, options, depth + 1));
    return enclosed('[', parts, ']', options, depth);
  }
  if (value instanceof Dictionary) return dictionaryJson(value, options, depth);
  throw failure(`Object of type ${typeName(value)} is not JSON serializable`);
}

function scalarJson(value: Value, options: JsonOptions): string | null {
  const text = textOf(value);
  if (text !== null) return jsonText(text, options.ensureAscii);
  if (value === null) return 'null';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'bigint') return String(value);
  return value instanceof Float ? jsonFloat(value.value) : null;
}

function jsonFloat(value: number): string {
  if (Number.isFinite(value)) return showFloat(value);
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? 'Infinity' : '-Infinity';
}

function dictionaryJson(dictionary: Dictionary, options: JsonOptions, depth: number): string {
  const entries = dictionary.entries().map(([key, value]) => [keyText(key), value] as const);
  if (options.sortKeys) entries.sort(([one], [other]) => compareCodePoints(one, other));
  const parts = entries.map(
    ([key, value]) =>
      jsonText(key, options.ensureAscii) + options.keySeparator + toJson(value, options, depth + 1),
  );
  return enclosed('{', parts, '}', options, depth);
}

function keyText(key: Value): string {
  const text = textOf(key);
  if (text !== null) return text;
  const scalar = scalarJson(key, PLAIN);
  if (scalar !== null) return scalar;
  throw failure(`keys must be str, int, float, bool or None, not ${typeName(key)}`);
}

const PLAIN: JsonOptions = {
  ensureAscii: false,
  indent: null,
  itemSeparator: ', ',
  keySeparator: ': ',
  sortKeys: false,
};

function enclosed(
  open: string,
  parts: readonly string[],
  close: string,
  { indent, itemSeparator }: JsonOptions,
  depth: number,
): string {
  if (parts.length === 0) return open + close;
  if (indent === null) return open + parts.join(itemSeparator) + close;
  const inner = `\n${indent.repeat(depth + 1)}`;
  return `${open}${inner}${parts.join(itemSeparator + inner)}\n${indent.repeat(depth)}${close}`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\b': '\\b',
  '\f': '\\f',
};

function jsonText(text: string, ensureAscii: boolean): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes exactly these
  const special = ensureAscii ? /["\\\x00-\x1f]|[^\x00-\x7e]/g : /["\\\x00-\x1f]/g;
  return `"${text.replace(special, (unit) => ESCAPES[unit] ?? unicodeEscape(unit))}"`;
}

function unicodeEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Python orders texts by code points, JavaScript by halves of surrogate pairs. */
export function compareCodePoints(one: string, other: string): number {
  const left = Array.from(one);
  const right = Array.from(other);
  for (let index = 0; index < Math.min(left.length, right.length); index += 1) {
    const difference = (left[index]?.codePointAt(0) ?? 0) - (right[index]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
