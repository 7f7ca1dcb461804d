import { type Bound, bind } from './bind-arguments.ts';
import { formatBraces } from './format-braces.ts';
import { iterate, textOf, typeName } from './inspect-value.ts';
import { LINE_ENDS } from './lexer.ts';
import { CASES } from './string-case.ts';
import { splitBy, splitWords, strip } from './string-strip.ts';
import { failure } from './template-failure.ts';
import { type Arguments, Tuple, type Value } from './values.ts';

/** The methods of Python's texts that templates can call. */
export function callStringMethod(text: string, name: string, args: Arguments): Value | undefined {
  if (name === 'format') return formatBraces(text, args);
  const change = CASES[name];
  if (change !== undefined) {
    bind(name, [], args);
    return change(text);
  }
  const method = METHODS[name];
  return method?.call(text, bind(name, method.parameters, args));
}

type Method = Readonly<{
  parameters: readonly string[];
  call: (text: string, args: Bound) => Value;
}>;

function method(parameters: readonly string[], call: Method['call']): Method {
  return { parameters, call };
}

const METHODS: Readonly<Record<string, Method>> = {
  count: method(['sub'], (text, args) => countOf(text, args.text('sub'))),
  endswith: method(['suffix'], (text, args) =>
    someText(args.get('suffix'), (one) => text.endsWith(one)),
  ),
  find: method(['sub'], (text, args) => placeOf(text, text.indexOf(args.text('sub')))),
  index: method(['sub'], (text, args) => found(placeOf(text, text.indexOf(args.text('sub'))))),
  isalnum: check(/^[\p{L}\p{N}]+$/u),
  isalpha: check(/^\p{L}+$/u),
  isascii: method([], (text) => Array.from(text).every((one) => (one.codePointAt(0) ?? 0) < 128)),
  isdecimal: check(/^\p{Nd}+$/u),
  isdigit: check(/^[\p{Nd}²³¹⁰⁴-⁹₀-₉]+$/u),
  islower: method([], (text) => text.toLowerCase() === text && /\p{Cased}/u.test(text)),
  isnumeric: check(/^\p{N}+$/u),
  isspace: method([], (text) => text !== '' && strip(text, null, 'both') === ''),
  isupper: method([], (text) => text.toUpperCase() === text && /\p{Cased}/u.test(text)),
  join: method(['iterable'], (text, args) => joined(text, args.get('iterable'))),
  ljust: padded((text, space) => text + space),
  lstrip: stripping('left'),
  partition: method(['sep'], (text, args) => partition(text, args.text('sep'), 'left')),
  removeprefix: method(['prefix'], (text, args) => {
    const prefix = args.text('prefix');
    return text.startsWith(prefix) ? text.slice(prefix.length) : text;
  }),
  removesuffix: method(['suffix'], (text, args) => {
    const suffix = args.text('suffix');
    return text.endsWith(suffix) ? text.slice(0, text.length - suffix.length) : text;
  }),
  replace: method(['old', 'new', 'count'], (text, args) =>
    replaced(text, args.text('old'), args.text('new'), args.integer('count', -1n)),
  ),
  rfind: method(['sub'], (text, args) => placeOf(text, text.lastIndexOf(args.text('sub')))),
  rjust: padded((text, space) => space + text),
  rpartition: method(['sep'], (text, args) => partition(text, args.text('sep'), 'right')),
  rsplit: splitting('right'),
  rstrip: stripping('right'),
  split: splitting('left'),
  splitlines: method(['keepends'], (text, args) =>
    lines(text, args.get('keepends', false) === true),
  ),
  startswith: method(['prefix'], (text, args) =>
    someText(args.get('prefix'), (one) => text.startsWith(one)),
  ),
  strip: stripping('both'),
  zfill: method(['width'], (text, args) => {
    const sign = /^[+-]/.exec(text)?.[0] ?? '';
    const missing = args.integer('width') - Array.from(text).length;
    return sign + '0'.repeat(Math.max(0, missing)) + text.slice(sign.length);
  }),
};

function check(pattern: RegExp): Method {
  return method([], (text) => pattern.test(text));
}

function stripping(sides: 'both' | 'left' | 'right'): Method {
  return method(['chars'], (text, args) => {
    const characters = args.get('chars', null);
    return strip(text, characters === null ? null : args.text('chars'), sides);
  });
}

function splitting(from: 'left' | 'right'): Method {
  return method(['sep', 'maxsplit'], (text, args) => {
    const limit = args.integer('maxsplit', -1n);
    if (args.get('sep', null) === null) return splitWords(text, limit, from);
    const separator = args.text('sep');
    if (separator === '') throw failure('empty separator');
    return splitBy(text, separator, limit, from);
  });
}

function padded(pad: (text: string, space: string) => string): Method {
  return method(['width', 'fillchar'], (text, args) => {
    const missing = Math.max(0, args.integer('width') - Array.from(text).length);
    return pad(text, args.text('fillchar', ' ').repeat(missing));
  });
}

function someText(value: Value, test: (text: string) => boolean): boolean {
  if (value instanceof Tuple) return value.items.some((item) => someText(item, test));
  const text = textOf(value);
  if (text !== null) return test(text);
  throw failure(`the argument must be str or a tuple of str, not ${typeName(value)}`);
}

function countOf(text: string, part: string): bigint {
  if (part === '') return BigInt(Array.from(text).length + 1);
  return BigInt(text.split(part).length - 1);
}

/** Places are counted in characters. */
function placeOf(text: string, index: number): bigint {
  return index < 0 ? -1n : BigInt(Array.from(text.slice(0, index)).length);
}

function found(place: bigint): bigint {
  if (place < 0n) throw failure('substring not found');
  return place;
}

function joined(separator: string, items: Value): string {
  return Array.from(iterate(items), (item) => {
    const text = textOf(item);
    if (text !== null) return text;
    throw failure(`sequence item: expected str instance, ${typeName(item)} found`);
  }).join(separator);
}

function partition(text: string, separator: string, from: 'left' | 'right'): Tuple {
  if (separator === '') throw failure('empty separator');
  const index = from === 'left' ? text.indexOf(separator) : text.lastIndexOf(separator);
  if (index === -1) return new Tuple(from === 'left' ? [text, '', ''] : ['', '', text]);
  return new Tuple([text.slice(0, index), separator, text.slice(index + separator.length)]);
}

/** An empty text stands between all characters. */
function replaced(text: string, old: string, by: string, count: number): string {
  const parts = old === '' ? ['', ...Array.from(text), ''] : text.split(old);
  const limit = count < 0 ? parts.length : count;
  return parts.reduce((result, part, index) => result + (index <= limit ? by : old) + part);
}

function lines(text: string, keepEnds: boolean): string[] {
  const parts = text.match(LINES)?.filter((line) => line !== '') ?? [];
  return keepEnds ? parts : parts.map((line) => line.replace(LINE_END, ''));
}

const LINES = new RegExp(`[^${LINE_ENDS}]*(?:\\r\\n|[${LINE_ENDS}]|$)`, 'g');
const LINE_END = new RegExp(`(?:\\r\\n|[${LINE_ENDS}])$`);
