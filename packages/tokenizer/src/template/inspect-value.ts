import { failure } from './template-failure.ts';
import {
  Attributes,
  Callable,
  Dictionary,
  Float,
  Markup,
  Stream,
  Tuple,
  Undefined,
  type Value,
  View,
} from './values.ts';

/** Whether a value is a list. */
export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

/** The text of a string, safe or not; null for everything else. */
export function textOf(value: Value): string | null {
  if (typeof value === 'string') return value;
  return value instanceof Markup ? value.text : null;
}

/** An integer, also `True` and `False`; null for everything else. */
export function integerOf(value: Value): bigint | null {
  if (typeof value === 'bigint') return value;
  return typeof value === 'boolean' ? BigInt(value) : null;
}

/** Any number as a number of JavaScript; null for everything else. */
export function numberOf(value: Value): number | null {
  if (value instanceof Float) return value.value;
  const integer = integerOf(value);
  return integer === null ? null : Number(integer);
}

/** Python's name of the type of a value. */
export function typeName(value: Value): string {
  if (value === null) return 'NoneType';
  if (typeof value === 'string') return 'str';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'boolean') return 'bool';
  if (isList(value)) return 'list';
  if (value instanceof Float) return 'float';
  if (value instanceof Dictionary) return 'dict';
  if (value instanceof Tuple) return 'tuple';
  if (value instanceof View || value instanceof Attributes) return value.name;
  if (value instanceof Callable) return 'function';
  return value.constructor.name;
}

/** What counts as true. A stream always does, even when nothing comes from it. */
export function isTrue(value: Value): boolean {
  if (value === null || value instanceof Undefined) return false;
  if (typeof value === 'boolean') return value;
  const number = numberOf(value);
  if (number !== null) return number !== 0;
  return lengthOf(value) !== 0;
}

/** How many items a value has; null: it has no length. */
export function lengthOf(value: Value): number | null {
  if (value instanceof Undefined) return 0;
  const text = textOf(value);
  if (text !== null) return Array.from(text).length;
  if (isList(value)) return value.length;
  if (value instanceof Tuple || value instanceof View) return value.items.length;
  return value instanceof Dictionary ? value.size : null;
}

/** Whether a value can be iterated. */
export function isIterable(value: Value): boolean {
  return value instanceof Stream || lengthOf(value) !== null;
}

/** The items of a value one after the other; of a stream only those that are left. */
export function* iterate(value: Value): Generator<Value> {
  const items = itemsOf(value);
  if (items !== null) yield* items;
  else if (value instanceof Stream)
    for (let step = value.next(); !step.done; step = value.next()) yield step.value;
  else throw failure(`'${typeName(value)}' object is not iterable`);
}

function itemsOf(value: Value): Iterable<Value> | null {
  if (value instanceof Undefined) return [];
  const text = textOf(value);
  if (text !== null) return text;
  if (isList(value)) return value;
  if (value instanceof Tuple || value instanceof View) return value.items;
  return value instanceof Dictionary ? value.keys() : null;
}
