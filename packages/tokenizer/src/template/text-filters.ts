import { bind } from './bind-arguments.ts';
import type { Filter } from './filter.ts';
import { formatPercent } from './format-percent.ts';
import { integerOf, isTrue, iterate, textOf } from './inspect-value.ts';
import { LINE_ENDS } from './lexer.ts';
import { escapedText } from './operators.ts';
import { show } from './show-value.ts';
import { CASES } from './string-case.ts';
import { strip } from './string-strip.ts';
import { failure, refused } from './template-failure.ts';
import { toJson } from './to-json.ts';
import { Markup, Tuple, type Value } from './values.ts';

/** The filters that make texts of texts. */
export const TEXT_FILTERS: readonly (readonly [string, Filter])[] = [
  ['lower', changing((text) => text.toLowerCase())],
  ['upper', changing((text) => text.toUpperCase())],
  ['capitalize', changing((text) => CASES.capitalize?.(text) ?? text)],
  ['title', changing(titled)],
  ['string', (value) => (value instanceof Markup ? value : show(value))],
  ['safe', (value) => new Markup(show(value))],
  [
    'escape',
    (value) => new Markup(value instanceof Markup ? value.text : escapedText(show(value))),
  ],
  ['e', (value) => new Markup(value instanceof Markup ? value.text : escapedText(show(value)))],
  ['forceescape', (value) => new Markup(escapedText(show(value)))],
  [
    'trim',
    (value, args) => {
      const characters = bind('trim', ['chars'], args).get('chars', null);
      return strip(show(value), characters === null ? null : show(characters), 'both');
    },
  ],
  [
    'replace',
    (value, args) => {
      const bound = bind('replace', ['old', 'new', 'count'], args);
      const count = bound.get('count', null);
      const limit = count === null ? Infinity : bound.integer('count');
      return replacedText(show(value), show(bound.get('old')), show(bound.get('new')), limit);
    },
  ],
  [
    'center',
    (value, args) => {
      const width = bind('center', ['width'], args).integer('width', 80n);
      const missing = Math.max(0, width - Array.from(show(value)).length);
      const left = Math.floor(missing / 2) + (missing & width & 1);
      return ' '.repeat(left) + show(value) + ' '.repeat(missing - left);
    },
  ],
  ['indent', indent],
  ['join', join],
  ['wordcount', (value) => BigInt((show(value).match(/[\p{L}\p{N}_]+/gu) ?? []).length)],
  [
    'format',
    (value, args) => {
      if (args.named.size > 0) throw refused('the filter "format" with named arguments');
      return formatPercent(show(value), new Tuple(args.positional));
    },
  ],
  ['tojson', tojson],
];

function changing(change: (text: string) => string): Filter {
  return (value, args) => {
    bind('the filter', [], args);
    return change(show(value));
  };
}

/** Words begin behind spaces, hyphens and opening brackets. */
function titled(text: string): string {
  return text
    .split(/([-\s({[<]+)/u)
    .filter((part) => part !== '')
    .map((part) => {
      const [first = '', ...rest] = Array.from(part);
      return first.toUpperCase() + rest.join('').toLowerCase();
    })
    .join('');
}

function replacedText(text: string, old: string, by: string, limit: number): string {
  const parts = old === '' ? ['', ...Array.from(text), ''] : text.split(old);
  const most = limit < 0 ? Infinity : limit;
  return parts.reduce((result, part, index) => result + (index <= most ? by : old) + part);
}

const LINE_END = new RegExp(`\\r\\n|[${LINE_ENDS}]`);

/** Indents all lines but the first and the empty ones, unless told otherwise. */
function indent(value: Value, args: Parameters<Filter>[1]): Value {
  const bound = bind('indent', ['width', 'first', 'blank'], args);
  const text = textOf(value);
  if (text === null) throw failure('indent of what is no text');
  const width = bound.get('width', 4n);
  const space = textOf(width) ?? ' '.repeat(bound.integer('width', 4n));
  const lines = `${text}\n`.split(LINE_END);
  if (lines.at(-1) === '') lines.pop();
  const [head = '', ...tail] = lines;
  const isBlankToo = isTrue(bound.get('blank', false));
  const rest = tail.map((line) => (line !== '' || isBlankToo ? space + line : line));
  return (isTrue(bound.get('first', false)) ? space : '') + [head, ...rest].join('\n');
}

function join(
  value: Value,
  args: Parameters<Filter>[1],
  environment: Parameters<Filter>[2],
): Value {
  const bound = bind('join', ['d', 'attribute'], args);
  const attribute = bound.get('attribute', null);
  const pick = environment.filters.get('map');
  const picked =
    attribute === null || pick === undefined
      ? value
      : pick(value, { positional: [], named: new Map([['attribute', attribute]]) }, environment);
  return Array.from(iterate(picked), show).join(show(bound.get('d', '')));
}

/** As transformers has it: nothing is escaped for HTML, other letters than ASCII stay. */
function tojson(value: Value, args: Parameters<Filter>[1]): Value {
  const bound = bind('tojson', ['ensure_ascii', 'indent', 'separators', 'sort_keys'], args);
  const indentation = indentOf(bound.get('indent', null));
  const [item, key] = separatorsOf(bound.get('separators', null), indentation);
  return toJson(value, {
    ensureAscii: isTrue(bound.get('ensure_ascii', false)),
    indent: indentation,
    itemSeparator: item,
    keySeparator: key,
    sortKeys: isTrue(bound.get('sort_keys', false)),
  });
}

function indentOf(value: Value): string | null {
  if (value === null) return null;
  const width = integerOf(value);
  return width === null ? show(value) : ' '.repeat(Math.max(0, Number(width)));
}

function separatorsOf(value: Value, indentation: string | null): readonly [string, string] {
  if (value === null) return [indentation === null ? ', ' : ',', ': '];
  const [item, key] = Array.from(iterate(value), textOf);
  if (item == null || key == null) throw failure('"separators" of tojson must be two texts');
  return [item, key];
}
