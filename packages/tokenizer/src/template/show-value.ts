import { CodePointSet } from '../unicode/code-point-set.ts';
import { UNASSIGNED } from '../unicode/unassigned.ts';
import { isList, textOf, typeName } from './inspect-value.ts';
import { refused } from './template-failure.ts';
import { Dictionary, Float, Tuple, Undefined, type Value, View } from './values.ts';

/** The value as text, as `{{ value }}` and `str()` give it. */
export function show(value: Value): string {
  if (value instanceof Undefined) return '';
  return textOf(value) ?? represent(value);
}

/** The value as Python's `repr()` writes it. */
export function represent(value: Value): string {
  const text = textOf(value);
  if (text !== null) return typeof value === 'string' ? quoted(text) : `Markup(${quoted(text)})`;
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Float) return showFloat(value.value);
  if (isList(value)) return `[${value.map(represent).join(', ')}]`;
  if (value instanceof Tuple) return representTuple(value);
  if (value instanceof Dictionary) return representDictionary(value);
  if (value instanceof Undefined) return 'Undefined';
  if (value instanceof View && value.name.startsWith('dict_'))
    return `${value.name}([${value.items.map(represent).join(', ')}])`;
  throw refused(`the text of a ${typeName(value)}`);
}

function representTuple({ items }: Tuple): string {
  return `(${items.map(represent).join(', ')}${items.length === 1 ? ',' : ''})`;
}

function representDictionary(dictionary: Dictionary): string {
  const entries = dictionary
    .entries()
    .map(([key, value]) => `${represent(key)}: ${represent(value)}`);
  return `{${entries.join(', ')}}`;
}

/** The shortest digits that give the same float; with an exponent below 1e-4 and from 1e16 on. */
export function showFloat(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 16) return Number.isInteger(value) ? `${value}.0` : String(value);
  const sign = power < 0 ? '-' : '+';
  return `${digits}e${sign}${String(Math.abs(power)).padStart(2, '0')}`;
}

const NOT_PRINTABLE = new RegExp(
  `[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}\\p{Zl}\\p{Zp}\\p{Zs}]|${CodePointSet.fromHex(UNASSIGNED).toClass()}`,
  'u',
);

/** In single quotes, unless only these stand in it. */
function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  let result = quote;
  for (const character of text) result += quotedCharacter(character, quote);
  return result + quote;
}

const SHORT: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

function quotedCharacter(character: string, quote: string): string {
  if (character === quote) return `\\${character}`;
  const short = SHORT[character];
  if (short !== undefined) return short;
  if (character === ' ' || !NOT_PRINTABLE.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code < 0x100) return `\\x${hex.padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}
