import { bind } from './bind-arguments.ts';
import { integerOf, isIterable, isList, lengthOf, numberOf, textOf } from './inspect-value.ts';
import type { CompareOperator } from './nodes.ts';
import { compare, compute } from './operators.ts';
import { show } from './show-value.ts';
import { failure } from './template-failure.ts';
import {
  type Arguments,
  Callable,
  Dictionary,
  Float,
  Markup,
  Tuple,
  Undefined,
  type Value,
  View,
} from './values.ts';

/** A test: `value is name(arguments)`. */
export type Test = (value: Value, args: Arguments) => boolean;

/** The tests of Jinja by name. */
export const TESTS: ReadonlyMap<string, Test> = new Map<string, Test>([
  ['boolean', plain((value) => typeof value === 'boolean')],
  ['callable', plain((value) => value instanceof Callable)],
  ['defined', plain((value) => !(value instanceof Undefined))],
  ['undefined', plain((value) => value instanceof Undefined)],
  ['escaped', plain((value) => value instanceof Markup)],
  ['false', plain((value) => value === false)],
  ['true', plain((value) => value === true)],
  ['none', plain((value) => value === null)],
  ['float', plain((value) => value instanceof Float)],
  ['integer', plain((value) => typeof value === 'bigint')],
  ['number', plain((value) => numberOf(value) !== null)],
  ['string', plain((value) => textOf(value) !== null)],
  ['mapping', plain((value) => value instanceof Dictionary)],
  ['iterable', plain(isIterable)],
  ['sequence', plain(isSequence)],
  ['lower', plain((value) => isCased(show(value), (text) => text.toLowerCase()))],
  ['upper', plain((value) => isCased(show(value), (text) => text.toUpperCase()))],
  ['odd', plain((value) => compare('==', compute('%', value, 2n), 1n))],
  ['even', plain((value) => compare('==', compute('%', value, 2n), 0n))],
  [
    'divisibleby',
    (value, args) =>
      compare('==', compute('%', value, bind('divisibleby', ['num'], args).get('num')), 0n),
  ],
  ['sameas', (value, args) => isSame(value, bind('sameas', ['other'], args).get('other'))],
  ['in', comparing('in')],
  ...comparisons('==', 'eq', 'equalto', '=='),
  ...comparisons('!=', 'ne', '!='),
  ...comparisons('<', 'lt', 'lessthan', '<'),
  ...comparisons('<=', 'le', '<='),
  ...comparisons('>', 'gt', 'greaterthan', '>'),
  ...comparisons('>=', 'ge', '>='),
]);

function plain(test: (value: Value) => boolean): Test {
  return (value, args) => {
    if (args.positional.length + args.named.size > 0) throw failure('a test takes no arguments');
    return test(value);
  };
}

function comparing(operator: CompareOperator): Test {
  return (value, args) => {
    const [other, ...more] = args.positional;
    if (other === undefined || more.length + args.named.size > 0)
      throw failure(`the test "${operator}" takes one argument`);
    return compare(operator, value, other);
  };
}

function comparisons(operator: CompareOperator, ...names: readonly string[]): [string, Test][] {
  return names.map((name) => [name, comparing(operator)]);
}

/** Dictionaries count as sequences in Jinja, views and streams do not. */
function isSequence(value: Value): boolean {
  return lengthOf(value) !== null && !(value instanceof View);
}

function isCased(text: string, change: (text: string) => string): boolean {
  return change(text) === text && /\p{Cased}/u.test(text);
}

/** Python's `is`; for equal texts and numbers it depends on how they came to be. */
function isSame(value: Value, other: Value): boolean {
  const isValue = textOf(value) !== null || integerOf(value) !== null;
  if (isValue && typeof value !== 'boolean' && value !== other) return false;
  return value === other || (isList(value) && value === other) || sameEmptyTuple(value, other);
}

function sameEmptyTuple(value: Value, other: Value): boolean {
  return (
    value instanceof Tuple &&
    other instanceof Tuple &&
    value.items.length === 0 &&
    other.items.length === 0
  );
}
