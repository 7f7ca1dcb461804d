import { bind } from './bind-arguments.ts';
import type { Environment } from './environment.ts';
import type { Filter } from './filter.ts';
import { isTrue, iterate, textOf } from './inspect-value.ts';
import { attributeGetter, namedFilter } from './list-filters.ts';
import { methodNames } from './methods.ts';
import { show } from './show-value.ts';
import { failure, refused } from './template-failure.ts';
import { type Arguments, Stream, Undefined, type Value } from './values.ts';

/** The filters that choose or change each of several values. What they give is computed as it is asked for. */
export const CHOOSING_FILTERS: readonly (readonly [string, Filter])[] = [
  ['map', map],
  ['select', choosing({ byAttribute: false, keeps: true })],
  ['reject', choosing({ byAttribute: false, keeps: false })],
  ['selectattr', choosing({ byAttribute: true, keeps: true })],
  ['rejectattr', choosing({ byAttribute: true, keeps: false })],
  ['attr', attribute],
  ['default', orDefault],
  ['d', orDefault],
];

function map(value: Value, args: Arguments, environment: Environment): Value {
  const change = args.named.has('attribute') ? byAttribute(args) : byFilter(args, environment);
  return new Stream(mapped(value, change));
}

function* mapped(value: Value, change: (item: Value) => Value): Generator<Value> {
  if (isTrue(value)) for (const item of iterate(value)) yield change(item);
}

function byAttribute(args: Arguments): (item: Value) => Value {
  const bound = bind('map', ['attribute', 'default'], { positional: [], named: args.named });
  const byDefault = bound.get('default', null);
  return attributeGetter(bound.get('attribute'), byDefault === null ? undefined : byDefault);
}

function byFilter(args: Arguments, environment: Environment): (item: Value) => Value {
  const [name, ...positional] = args.positional;
  if (name === undefined) throw failure('map requires a filter argument');
  const filter = namedFilter(environment, name);
  return (item) => filter(item, { positional, named: args.named }, environment);
}

function choosing(options: Readonly<{ byAttribute: boolean; keeps: boolean }>): Filter {
  return (value, args, environment) => {
    const [name, rest] = options.byAttribute
      ? [args.positional[0], args.positional.slice(1)]
      : [null, args.positional];
    if (name === undefined) throw failure('Missing parameter for attribute name');
    const get = attributeGetter(name);
    const test = testOf({ positional: rest, named: args.named }, environment);
    return new Stream(chosen(value, (item) => test(get(item)) === options.keeps));
  };
}

function* chosen(value: Value, isChosen: (item: Value) => boolean): Generator<Value> {
  if (isTrue(value)) for (const item of iterate(value)) if (isChosen(item)) yield item;
}

function testOf(args: Arguments, environment: Environment): (value: Value) => boolean {
  const [name, ...positional] = args.positional;
  if (name === undefined) return isTrue;
  const test = environment.tests.get(textOf(name) ?? '');
  if (test === undefined) throw failure(`No test named '${show(name)}'.`);
  return (value) => test(value, { positional, named: args.named });
}

/** Only attributes, never entries; of the values of templates none has an attribute that is no method. */
function attribute(value: Value, args: Arguments): Value {
  const name = bind('attr', ['name'], args).text('name');
  if (value instanceof Undefined) throw failure(value.message);
  if (methodNames(value, name) !== 'none') throw refused(`the filter "attr" for "${name}"`);
  return new Undefined(`the value has no attribute '${name}'`);
}

function orDefault(value: Value, args: Arguments): Value {
  const bound = bind('default', ['default_value', 'boolean'], args);
  const isMissing =
    value instanceof Undefined || (isTrue(bound.get('boolean', false)) && !isTrue(value));
  return isMissing ? bound.get('default_value', '') : value;
}
