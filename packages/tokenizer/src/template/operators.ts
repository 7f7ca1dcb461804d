import { formatPercent } from './format-percent.ts';
import { integerOf, isList, iterate, numberOf, textOf, typeName } from './inspect-value.ts';
import type { BinaryOperator, CompareOperator } from './nodes.ts';
import { failure } from './template-failure.ts';
import { compareCodePoints } from './to-json.ts';
import { Dictionary, Float, Markup, Namespace, Tuple, Undefined, type Value } from './values.ts';

/** `left operator right` as Python computes it. */
export function compute(operator: BinaryOperator, left: Value, right: Value): Value {
  for (const value of [left, right]) if (value instanceof Undefined) throw failure(value.message);
  const special = SEQUENCES[operator]?.(left, right);
  if (special !== undefined) return special;
  const [whole, otherWhole] = [integerOf(left), integerOf(right)];
  if (whole !== null && otherWhole !== null) return integral(operator, whole, otherWhole);
  const [number, otherNumber] = [numberOf(left), numberOf(right)];
  if (number !== null && otherNumber !== null) return floating(operator, number, otherNumber);
  throw failure(
    `unsupported operand type(s) for ${operator}: '${typeName(left)}' and '${typeName(right)}'`,
  );
}

/** What the operators do with texts and lists; undefined: nothing. */
const SEQUENCES: Partial<Record<BinaryOperator, (left: Value, right: Value) => Value | undefined>> =
  {
    '+': joined,
    '*': (left, right) => repeated(left, right) ?? repeated(right, left),
    '%': (left, right) => {
      const text = textOf(left);
      return text === null ? undefined : formatPercent(text, right);
    },
  };

function joined(left: Value, right: Value): Value | undefined {
  const texts = [textOf(left), textOf(right)] as const;
  if (texts[0] !== null && texts[1] !== null) {
    if (!(left instanceof Markup || right instanceof Markup)) return texts[0] + texts[1];
    return new Markup(escapedText(left) + escapedText(right));
  }
  if (isList(left) && isList(right)) return [...left, ...right];
  if (left instanceof Tuple && right instanceof Tuple)
    return new Tuple([...left.items, ...right.items]);
  return undefined;
}

function repeated(value: Value, times: Value): Value | undefined {
  const count = integerOf(times);
  if (count === null) return undefined;
  const most = Math.max(0, Number(count));
  if (typeof value === 'string') return value.repeat(most);
  if (value instanceof Markup) return new Markup(value.text.repeat(most));
  return isList(value) ? Array.from({ length: most }, () => value).flat() : undefined;
}

/** The text with the characters that mean something in HTML replaced, unless it is safe already. */
export function escapedText(value: Value): string {
  const text = textOf(value) ?? '';
  if (value instanceof Markup) return text;
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('>', '&gt;')
    .replaceAll('<', '&lt;')
    .replaceAll("'", '&#39;')
    .replaceAll('"', '&#34;');
}

function integral(operator: BinaryOperator, left: bigint, right: bigint): Value {
  if (operator === '/') return floating('/', Number(left), Number(right));
  if (operator === '**')
    return right < 0n ? floating('**', Number(left), Number(right)) : left ** right;
  if (operator === '+') return left + right;
  if (operator === '-') return left - right;
  if (operator === '*') return left * right;
  if (right === 0n) throw failure('integer division or modulo by zero');
  const rest = ((left % right) + right) % right;
  return operator === '%' ? rest : (left - rest) / right;
}

function floating(operator: BinaryOperator, left: number, right: number): Value {
  if (operator === '+') return new Float(left + right);
  if (operator === '-') return new Float(left - right);
  if (operator === '*') return new Float(left * right);
  if (operator === '**') return new Float(left ** right);
  if (right === 0) throw failure('float division by zero');
  if (operator === '/') return new Float(left / right);
  const rest = left % right;
  const modulo = rest !== 0 && rest < 0 !== right < 0 ? rest + right : rest;
  return new Float(operator === '%' ? modulo : Math.round((left - modulo) / right));
}

/** `-value` and `+value`. */
export function signed(value: Value, sign: 1 | -1): Value {
  const integer = integerOf(value);
  if (integer !== null) return integer * BigInt(sign);
  if (value instanceof Float) return new Float(value.value * sign);
  if (value instanceof Undefined) throw failure(value.message);
  throw failure(`bad operand type for a sign: '${typeName(value)}'`);
}

/** `left operator right` for comparisons and membership. */
export function compare(operator: CompareOperator, left: Value, right: Value): boolean {
  if (operator === '==') return areEqual(left, right);
  if (operator === '!=') return !areEqual(left, right);
  if (operator === 'in') return contains(right, left);
  if (operator === 'not in') return !contains(right, left);
  const order = ordered(left, right, operator);
  if (operator === '<') return order < 0;
  if (operator === '<=') return order <= 0;
  return operator === '>' ? order > 0 : order >= 0;
}

export function areEqual(left: Value, right: Value): boolean {
  const texts = [textOf(left), textOf(right)] as const;
  if (texts[0] !== null || texts[1] !== null) return texts[0] === texts[1];
  const integers = [integerOf(left), integerOf(right)] as const;
  if (integers[0] !== null && integers[1] !== null) return integers[0] === integers[1];
  const numbers = [numberOf(left), numberOf(right)] as const;
  if (numbers[0] !== null || numbers[1] !== null) return numbers[0] === numbers[1];
  if (isList(left) && isList(right)) return areItemsEqual(left, right);
  if (left instanceof Tuple && right instanceof Tuple)
    return areItemsEqual(left.items, right.items);
  if (left instanceof Dictionary && right instanceof Dictionary) return sameEntries(left, right);
  return left === right || (left instanceof Undefined && right instanceof Undefined);
}

function areItemsEqual(left: readonly Value[], right: readonly Value[]): boolean {
  return (
    left.length === right.length &&
    left.every((item, index) => areEqual(item, right[index] ?? null))
  );
}

function sameEntries(left: Dictionary, right: Dictionary): boolean {
  if (left.size !== right.size) return false;
  return left.entries().every(([key, value]) => {
    const other = right.get(key);
    return other !== undefined && areEqual(value, other);
  });
}

function contains(container: Value, item: Value): boolean {
  const text = textOf(container);
  if (text !== null) {
    const part = textOf(item);
    if (part !== null) return text.includes(part);
    if (item instanceof Undefined) throw failure(item.message);
    throw failure(`'in <string>' requires string as left operand, not ${typeName(item)}`);
  }
  if (container instanceof Dictionary) return hasKey(container, item);
  if (container instanceof Namespace) throw failure("'Namespace' object is not iterable");
  for (const one of iterate(container)) if (areEqual(one, item)) return true;
  return false;
}

function hasKey(dictionary: Dictionary, key: Value): boolean {
  if (isList(key) || key instanceof Dictionary)
    throw failure(`unhashable type: '${typeName(key)}'`);
  return !(key instanceof Undefined) && dictionary.has(key);
}

/** Negative, zero or positive; values that Python does not order are a failure. */
export function ordered(left: Value, right: Value, operator = '<'): number {
  for (const value of [left, right]) if (value instanceof Undefined) throw failure(value.message);
  const texts = [textOf(left), textOf(right)] as const;
  if (texts[0] !== null && texts[1] !== null) return compareCodePoints(texts[0], texts[1]);
  const integers = [integerOf(left), integerOf(right)] as const;
  if (integers[0] !== null && integers[1] !== null)
    return integers[0] < integers[1] ? -1 : Number(integers[0] > integers[1]);
  const numbers = [numberOf(left), numberOf(right)] as const;
  if (numbers[0] !== null && numbers[1] !== null) return numbers[0] - numbers[1];
  if (isList(left) && isList(right)) return orderedItems(left, right);
  if (left instanceof Tuple && right instanceof Tuple) return orderedItems(left.items, right.items);
  throw failure(
    `'${operator}' not supported between instances of '${typeName(left)}' and '${typeName(right)}'`,
  );
}

function orderedItems(left: readonly Value[], right: readonly Value[]): number {
  for (const [index, item] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    if (!areEqual(item, other)) return ordered(item, other);
  }
  return left.length - right.length;
}
