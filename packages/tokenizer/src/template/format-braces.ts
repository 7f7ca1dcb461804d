import { integerOf, numberOf, textOf, typeName } from './inspect-value.ts';
import { represent, show } from './show-value.ts';
import { failure, refused } from './template-failure.ts';
import { type Arguments, Float, type Value } from './values.ts';

/** `text.format(...)`: fields by number or name, with conversions and the common format options. */
export function formatBraces(text: string, args: Arguments): string {
  let automatic = 0;
  if (/\{(?:[!:][^{}]*)?\}/.test(text) && /\{\d/.test(text))
    throw failure('cannot mix numbered and unnumbered fields');
  return text.replace(
    /\{\{|\}\}|\{([^{}!:]*)(?:!([rsa]))?(?::([^{}]*))?\}|[{}]/g,
    (whole, field?: string, conversion?: string, options?: string) => {
      if (whole === '{{' || whole === '}}') return whole.charAt(0);
      if (field === undefined) throw refused(`the format ${JSON.stringify(text)}`);
      const value = fieldValue(field, args, () => automatic++);
      if (conversion === 'a') throw refused('the conversion "!a"');
      if (conversion === undefined) return formatted(value, options ?? '');
      return formatted(conversion === 'r' ? represent(value) : show(value), options ?? '');
    },
  );
}

function fieldValue(field: string, args: Arguments, nextIndex: () => number): Value {
  if (/[.[]/.test(field)) throw refused(`the format field ${JSON.stringify(field)}`);
  return firstValue(field === '' ? String(nextIndex()) : field, args);
}

function firstValue(name: string, args: Arguments): Value {
  const value = /^\d+$/.test(name) ? args.positional[Number(name)] : args.named.get(name);
  if (value !== undefined) return value;
  throw failure(`format has no argument ${JSON.stringify(name)}`);
}

const OPTIONS = /^(?:(.)?([<>^=]))?([+\- ]?)(0?)(\d*)(,?)(?:\.(\d+))?([sdf]?)$/su;

function formatted(value: Value, options: string): string {
  if (options === '') return show(value);
  const match = OPTIONS.exec(options);
  if (match === null) throw refused(`the format option ${JSON.stringify(options)}`);
  const [, fill, align, sign = '', zero = '', width = '', comma = '', precision, type = ''] = match;
  const text = textOf(value);
  const body =
    text === null || typeof value === 'boolean'
      ? numberText(value, { sign, comma, precision, type })
      : cut(text, precision);
  const padding = fill ?? (zero === '' ? ' ' : '0');
  const side = align ?? (text === null ? (zero === '' ? '>' : '=') : '<');
  return padded(body, Number(width), padding, side);
}

function cut(text: string, precision: string | undefined): string {
  if (precision === undefined) return text;
  return Array.from(text).slice(0, Number(precision)).join('');
}

type NumberOptions = Readonly<{
  sign: string;
  comma: string;
  precision: string | undefined;
  type: string;
}>;

function numberText(value: Value, { sign, comma, precision, type }: NumberOptions): string {
  const number = numberOf(value);
  if (number === null) throw failure(`unsupported format string passed to ${typeName(value)}`);
  const integer = type === 'f' ? null : integerOf(value);
  if (integer === null && type !== 'f') throw refused('a float format without "f"');
  const digits = integer === null ? fixed(number, Number(precision ?? 6)) : String(integer);
  const grouped = comma === '' ? digits : digits.replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ',');
  return (sign === '+' || sign === ' ') && number >= 0 ? sign + grouped : grouped;
}

/** The float with so many digits behind the point; a tie goes to the even digit, as in Python. */
function fixed(value: number, digits: number): string {
  const text = value.toFixed(digits);
  // a float has few digits where it is exactly in the middle between two roundings
  const exact = value.toFixed(Math.min(100, digits + 30));
  const rest = exact.slice(exact.indexOf('.') + 1 + digits);
  if (!/^50*$/.test(rest)) return text;
  const isEven = Number(text.at(-1)) % 2 === 0;
  return isEven ? text : exact.slice(0, exact.length - rest.length).replace(/\.$/, '');
}

function padded(text: string, width: number, fill: string, side: string): string {
  const missing = Math.max(0, width - Array.from(text).length);
  if (side === '<') return text + fill.repeat(missing);
  if (side === '>') return fill.repeat(missing) + text;
  const sign = side === '=' ? (/^[+-]/.exec(text)?.[0] ?? '') : '';
  if (side === '=') return sign + fill.repeat(missing) + text.slice(sign.length);
  return fill.repeat(missing >> 1) + text + fill.repeat(missing - (missing >> 1));
}

/** `round(value, digits)` of a float. */
export function roundedFloat(value: number, digits: number): Float {
  return new Float(Number(fixed(value, digits)));
}
