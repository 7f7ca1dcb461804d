import { getItem } from './attributes.ts';
import { bind } from './bind-arguments.ts';
import type { Environment } from './environment.ts';
import type { Filter } from './filter.ts';
import { integerOf, isTrue, iterate, lengthOf, textOf, typeName } from './inspect-value.ts';
import { pairs } from './methods.ts';
import { areEqual, compute, ordered } from './operators.ts';
import { show } from './show-value.ts';
import { failure } from './template-failure.ts';
import { type Arguments, Dictionary, Stream, Tuple, Undefined, type Value } from './values.ts';

/** The filters that work on several values. */
export const LIST_FILTERS: readonly (readonly [string, Filter])[] = [
  ['list', (value) => [...iterate(value)]],
  ['length', length],
  ['count', length],
  ['first', first],
  ['last', last],
  ['items', items],
  ['dictsort', dictsort],
  ['reverse', reverse],
  ['sort', sort],
  ['unique', unique],
  ['min', (value, args) => extreme('min', value, args)],
  ['max', (value, args) => extreme('max', value, args)],
  ['sum', sum],
  ['batch', batch],
  ['slice', slice],
  ['groupby', groupby],
];

function length(value: Value): Value {
  const count = lengthOf(value);
  if (count !== null) return BigInt(count);
  throw failure(`object of type '${typeName(value)}' has no len()`);
}

/** Takes the first value of a stream out of it. */
function first(value: Value): Value {
  for (const item of iterate(value)) return item;
  return new Undefined('No first item, sequence was empty.');
}

function last(value: Value): Value {
  if (lengthOf(value) === null) throw failure(`'${typeName(value)}' object is not reversible`);
  const item = [...iterate(value)].at(-1);
  return item === undefined ? new Undefined('No last item, sequence was empty.') : item;
}

function items(value: Value): Value {
  if (value instanceof Undefined) return new Stream([]);
  if (value instanceof Dictionary) return new Stream(pairs(value));
  throw failure('Can only get item pairs from a mapping.');
}

function dictsort(value: Value, args: Arguments): Value {
  const bound = bind('dictsort', ['case_sensitive', 'by', 'reverse'], args);
  if (!(value instanceof Dictionary)) throw failure(`dictsort of a ${typeName(value)}`);
  const place = bound.text('by', 'key') === 'key' ? 0 : 1;
  const isExact = isTrue(bound.get('case_sensitive', false));
  const key = (pair: Value): Value => caseless(getItem(pair, BigInt(place)), isExact);
  return sorted(pairs(value), key, isTrue(bound.get('reverse', false)));
}

function caseless(value: Value, isExact: boolean): Value {
  const text = isExact ? null : textOf(value);
  return text === null ? value : text.toLowerCase();
}

/** Stable, also backwards. */
function sorted(
  values: readonly Value[],
  key: (value: Value) => Value,
  isReversed: boolean,
): Value[] {
  const keyed = values.map((value) => ({ value, key: key(value) }));
  const direction = isReversed ? -1 : 1;
  keyed.sort((one, other) => direction * ordered(one.key, other.key));
  return keyed.map(({ value }) => value);
}

function reverse(value: Value): Value {
  const text = textOf(value);
  if (text !== null) return Array.from(text).reverse().join('');
  return new Stream([...iterate(value)].reverse());
}

function sort(value: Value, args: Arguments): Value {
  const bound = bind('sort', ['reverse', 'case_sensitive', 'attribute'], args);
  const isExact = isTrue(bound.get('case_sensitive', false));
  const key = keyOf(bound.get('attribute', null), isExact);
  return sorted([...iterate(value)], key, isTrue(bound.get('reverse', false)));
}

/** Several attributes, with commas between them, are compared one after the other. */
function keyOf(attribute: Value, isExact: boolean): (value: Value) => Value {
  const text = textOf(attribute);
  if (text === null || !text.includes(','))
    return (value) => caseless(attributeGetter(attribute)(value), isExact);
  const getters = text.split(',').map((part) => attributeGetter(part));
  return (value) => getters.map((get) => caseless(get(value), isExact));
}

/** Gets what a path such as `function.name` or `0` leads to; null is the value itself. */
export function attributeGetter(attribute: Value, byDefault?: Value): (value: Value) => Value {
  if (attribute === null) return (value) => value;
  const index = integerOf(attribute);
  const path: Value[] =
    index === null
      ? show(attribute)
          .split('.')
          .map((part) => (/^\d+$/.test(part) ? BigInt(part) : part))
      : [index];
  return (value) =>
    path.reduce<Value>((current, part) => {
      const item = getItem(current, part);
      return item instanceof Undefined && byDefault !== undefined ? byDefault : item;
    }, value);
}

function unique(value: Value, args: Arguments): Value {
  const bound = bind('unique', ['case_sensitive', 'attribute'], args);
  const key = keyOf(bound.get('attribute', null), isTrue(bound.get('case_sensitive', false)));
  const seen: Value[] = [];
  const kept = [...iterate(value)].filter((item) => {
    const itemKey = key(item);
    if (seen.some((one) => areEqual(one, itemKey))) return false;
    seen.push(itemKey);
    return true;
  });
  return new Stream(kept);
}

function extreme(name: 'min' | 'max', value: Value, args: Arguments): Value {
  const bound = bind(name, ['case_sensitive', 'attribute'], args);
  const key = keyOf(bound.get('attribute', null), isTrue(bound.get('case_sensitive', false)));
  const [start, ...rest] = iterate(value);
  if (start === undefined) return new Undefined('No aggregated item, sequence was empty.');
  const sign = name === 'min' ? -1 : 1;
  return rest.reduce(
    (best, item) => (Math.sign(ordered(key(item), key(best))) === sign ? item : best),
    start,
  );
}

function sum(value: Value, args: Arguments): Value {
  const bound = bind('sum', ['attribute', 'start'], args);
  const get = attributeGetter(bound.get('attribute', null));
  return [...iterate(value)].reduce<Value>(
    (total, item) => compute('+', total, get(item)),
    bound.get('start', 0n),
  );
}

function batch(value: Value, args: Arguments): Value {
  const bound = bind('batch', ['linecount', 'fill_with'], args);
  const size = bound.integer('linecount');
  const fill = bound.get('fill_with', null);
  const all = [...iterate(value)];
  const rows: Value[][] = [];
  for (let start = 0; start < all.length; start += size) {
    const row = all.slice(start, start + size);
    while (fill !== null && row.length < size) row.push(fill);
    rows.push(row);
  }
  return new Stream(rows);
}

function slice(value: Value, args: Arguments): Value {
  const bound = bind('slice', ['slices', 'fill_with'], args);
  const count = bound.integer('slices');
  const fill = bound.get('fill_with', null);
  const all = [...iterate(value)];
  const [size, longer] = [Math.floor(all.length / count), all.length % count];
  const columns: Value[][] = [];
  for (let index = 0, start = 0; index < count; index += 1) {
    const end = start + size + (index < longer ? 1 : 0);
    const column = all.slice(start, end);
    if (fill !== null && index >= longer) column.push(fill);
    columns.push(column);
    start = end;
  }
  return new Stream(columns);
}

function groupby(value: Value, args: Arguments): Value {
  const bound = bind('groupby', ['attribute', 'default', 'case_sensitive'], args);
  const get = attributeGetter(
    bound.get('attribute'),
    bound.has('default') ? bound.get('default') : undefined,
  );
  const isExact = isTrue(bound.get('case_sensitive', false));
  const key = (item: Value): Value => caseless(get(item), isExact);
  const groups: { key: Value; shown: Value; items: Value[] }[] = [];
  for (const item of sorted([...iterate(value)], key, false)) {
    const group = groups.at(-1);
    if (group !== undefined && areEqual(group.key, key(item))) group.items.push(item);
    else groups.push({ key: key(item), shown: get(item), items: [item] });
  }
  return groups.map((group) => new Tuple([group.shown, group.items]));
}

/** Calls a filter or test of the environment, for the filters that take the name of one. */
export function namedFilter(environment: Environment, name: Value): Filter {
  const filter = environment.filters.get(textOf(name) ?? '');
  if (filter === undefined) throw failure(`No filter named '${show(name)}'.`);
  return filter;
}
