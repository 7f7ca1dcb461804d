import { decodeString } from '../json/json-text.ts';
import { quoted } from '../json/quoted.ts';
import { wholeJson } from '../json/whole-json.ts';
import { pythonLiteral } from '../python-calls/python-literal.ts';
import { trimSpace } from '../whitespace.ts';
import type { JsonType } from './schema.ts';

/** A value as JSON text; `isFailed` when the text did not fit its declared type. */
export type Coerced = Readonly<{ json: string; isFailed: boolean }>;

/** The text of a parameter as the JSON value of its declared type; types null = unknown. */
export function coerce(text: string, types: ReadonlySet<JsonType> | null): Coerced {
  if (types === null) return fits(wholeJson(text) ?? quoted(text));
  const isString = types.has('string');
  if (isString && types.size === 1) return fits(quoted(text));
  const typed = coerceTrimmed(trimSpace(text), types);
  if (typed !== null && !(isString && typed.isFailed)) return typed;
  return { json: quoted(text), isFailed: !isString };
}

function fits(json: string): Coerced {
  return { json, isFailed: false };
}

function coerceTrimmed(text: string, types: ReadonlySet<JsonType>): Coerced | null {
  const json = wholeJson(text);
  const exact = json === null ? null : coerceJson(json, types);
  if (exact !== null) return exact;
  return types.has('string') ? null : coerceLoosely(text, types);
}

/** Text that is JSON already. */
function coerceJson(json: string, types: ReadonlySet<JsonType>): Coerced | null {
  const kind = kindOf(json);
  if (kind === 'number') return coerceNumber(json, types);
  if (kind !== 'string') return types.has(kind) ? fits(json) : null;
  if (types.has('string')) return null;
  const inner = decodeString(json);
  const innerJson = wholeJson(trimSpace(inner));
  return innerJson === null || kindOf(innerJson) === 'string' ? null : coerceJson(innerJson, types);
}

function coerceNumber(json: string, types: ReadonlySet<JsonType>): Coerced | null {
  if (types.has('number')) return fits(json);
  if (!types.has('integer')) return null;
  const integer = integerDigits(json);
  return integer === null ? { json, isFailed: true } : fits(integer);
}

/** Spellings that are no JSON: `True`, `None`, Python lists and dictionaries. */
function coerceLoosely(text: string, types: ReadonlySet<JsonType>): Coerced | null {
  const lower = text.toLowerCase();
  if (types.has('boolean') && (lower === 'true' || lower === 'false')) return fits(lower);
  if (types.has('null') && text === 'None') return fits('null');
  if (!types.has('object') && !types.has('array')) return null;
  if (!'{[('.includes(text.charAt(0)) || text === '') return null;
  const json = pythonLiteral(text, 1000);
  return json !== null && types.has(json.startsWith('{') ? 'object' : 'array') ? fits(json) : null;
}

/** The type of a JSON value, by its text. */
export function kindOf(json: string): JsonType {
  switch (json.charAt(0)) {
    case '"':
      return 'string';
    case '{':
      return 'object';
    case '[':
      return 'array';
    case 't':
    case 'f':
      return 'boolean';
    case 'n':
      return 'null';
    default:
      return 'number';
  }
}

/** The digits of a number without a fraction (`140.0`, `1e3`), exactly; null when it has one. */
function integerDigits(json: string): string | null {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(json);
  if (match === null) return null;
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = match;
  const exponent = Number(exponentText);
  if (fraction === '' && exponent === 0) return sign + whole;
  if (Math.abs(exponent) > 400) return null;
  const digits = whole + fraction;
  const point = whole.length + exponent;
  const rest = point < digits.length ? digits.slice(Math.max(0, point)) : '';
  if (/[1-9]/.test(rest) || (point <= 0 && /[1-9]/.test(digits))) return null;
  const integer = digits
    .slice(0, Math.max(0, point))
    .padEnd(point, '0')
    .replace(/^0+(?=\d)/, '');
  return integer === '' || integer === '0' ? '0' : sign + integer;
}
