import { bind } from './bind-arguments.ts';
import type { Filter } from './filter.ts';
import { roundedFloat } from './format-braces.ts';
import { integerOf, numberOf, textOf, typeName } from './inspect-value.ts';
import { failure, refused } from './template-failure.ts';
import { type Arguments, Float, Undefined, type Value } from './values.ts';

/** The filters that make numbers. */
export const NUMBER_FILTERS: readonly (readonly [string, Filter])[] = [
  ['abs', abs],
  ['int', int],
  ['float', float],
  ['round', round],
];

function abs(value: Value): Value {
  const integer = integerOf(value);
  if (integer !== null) return integer < 0n ? -integer : integer;
  if (value instanceof Float) return new Float(Math.abs(value.value));
  throw failure(`bad operand type for abs(): '${typeName(value)}'`);
}

/** What is no number becomes the default. */
function int(value: Value, args: Arguments): Value {
  const bound = bind('int', ['default', 'base'], args);
  if (bound.integer('base', 10n) !== 10) throw refused('the filter "int" with another base');
  const integer = integerOf(value);
  if (integer !== null) return integer;
  if (value instanceof Undefined) throw failure(value.message);
  const text = textOf(value)?.trim();
  if (text !== undefined && /^[+-]?\d+(?:_\d+)*$/.test(text))
    return BigInt(text.replace(/^\+|_/g, ''));
  const number = text === undefined ? numberOf(value) : parsedFloat(text);
  return number === null || !Number.isFinite(number)
    ? bound.get('default', 0n)
    : BigInt(Math.trunc(number));
}

function float(value: Value, args: Arguments): Value {
  if (value instanceof Undefined) throw failure(value.message);
  const text = textOf(value)?.trim();
  const number = text === undefined ? numberOf(value) : parsedFloat(text);
  return number === null
    ? bind('float', ['default'], args).get('default', new Float(0))
    : new Float(number);
}

function parsedFloat(text: string): number | null {
  const word = /^([+-]?)(inf|infinity|nan)$/i.exec(text);
  if (word !== null) return /nan/i.test(text) ? Number.NaN : word[1] === '-' ? -Infinity : Infinity;
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : null;
}

function round(value: Value, args: Arguments): Value {
  const bound = bind('round', ['precision', 'method'], args);
  const digits = bound.integer('precision', 0n);
  const method = bound.text('method', 'common');
  const number = numberOf(value);
  if (number === null) throw failure(`type ${typeName(value)} doesn't define __round__ method`);
  if (method === 'common') return integerOf(value) ?? roundedFloat(number, digits);
  if (method !== 'ceil' && method !== 'floor')
    throw failure('method must be common, ceil or floor');
  return new Float(Math[method](number * 10 ** digits) / 10 ** digits);
}
