import { getAttribute, getItem, slice } from './attributes.ts';
import type { Environment } from './environment.ts';
import { isTrue, iterate, textOf, typeName } from './inspect-value.ts';
import type { CallArguments, Expression } from './nodes.ts';
import { compare, compute, signed } from './operators.ts';
import { REFUSED_FILTERS } from './refused-filters.ts';
import type { Scope } from './scope.ts';
import { show } from './show-value.ts';
import { failure, refused } from './template-failure.ts';
import {
  type Arguments,
  Callable,
  Dictionary,
  Float,
  Tuple,
  Undefined,
  type Value,
} from './values.ts';

/** Computes the value of an expression. */
export function evaluate(node: Expression, scope: Scope, environment: Environment): Value {
  const value = (one: Expression): Value => evaluate(one, scope, environment);
  switch (node.kind) {
    case 'constant':
      return constant(node.value);
    case 'name':
      return scope.get(node.name);
    case 'list':
      return node.items.map(value);
    case 'tuple':
      return new Tuple(node.items.map(value));
    case 'concat':
      return node.items.map((item) => show(value(item))).join('');
    case 'dictionary':
      return new Dictionary(node.entries.map(([key, item]) => [value(key), value(item)]));
    case 'attribute':
      return getAttribute(value(node.target), node.name);
    case 'item':
      return itemOf(node, value);
    case 'slice':
      throw refused('a slice outside of brackets');
    case 'call':
      return call(value(node.target), callArguments(node.args, value));
    case 'filter':
      return applyFilter(
        node.name,
        value(node.target),
        callArguments(node.args, value),
        environment,
      );
    case 'test':
      return applyTest(node.name, value(node.target), callArguments(node.args, value), environment);
    case 'condition':
      if (isTrue(value(node.test))) return value(node.then);
      return node.otherwise === null
        ? new Undefined(
            'the inline if-expression evaluated to false and no else section was defined.',
          )
        : value(node.otherwise);
    case 'and':
    case 'or':
      return logical(node, value);
    case 'not':
      return !isTrue(value(node.operand));
    case 'negative':
      return signed(value(node.operand), -1);
    case 'positive':
      return signed(value(node.operand), 1);
    case 'binary':
      return compute(node.operator, value(node.left), value(node.right));
    case 'compare':
      return compareAll(node, value);
  }
}

type Evaluate = (node: Expression) => Value;
type Kind<K extends Expression['kind']> = Extract<Expression, { kind: K }>;

function constant(value: Kind<'constant'>['value']): Value {
  return typeof value === 'object' && value !== null ? new Float(value.float) : value;
}

function itemOf(node: Kind<'item'>, value: Evaluate): Value {
  const target = value(node.target);
  if (node.key.kind !== 'slice') return getItem(target, value(node.key));
  return slice(
    target,
    node.key.parts.map((part) => (part === null ? null : value(part))),
  );
}

function logical(node: Kind<'and' | 'or'>, value: Evaluate): Value {
  const left = value(node.left);
  return isTrue(left) === (node.kind === 'or') ? left : value(node.right);
}

/** `a < b < c` compares each neighbour, and stops at the first that is false. */
function compareAll(node: Kind<'compare'>, value: Evaluate): boolean {
  let left = value(node.first);
  for (const { operator, operand } of node.rest) {
    const right = value(operand);
    if (!compare(operator, left, right)) return false;
    left = right;
  }
  return true;
}

function callArguments(args: CallArguments, value: Evaluate): Arguments {
  const positional = args.positional.map(value);
  const named = new Map(args.named.map(([name, item]) => [name, value(item)]));
  if (args.list !== null) positional.push(...iterate(value(args.list)));
  if (args.map !== null) for (const [key, item] of unpacked(value(args.map))) named.set(key, item);
  return { positional, named };
}

function unpacked(map: Value): [string, Value][] {
  if (!(map instanceof Dictionary)) throw failure(`argument after ** must be a mapping`);
  return map.entries().map(([key, item]) => {
    const name = textOf(key);
    if (name === null) throw failure('keywords must be strings');
    return [name, item];
  });
}

/** Calls a value, if it can be called. */
export function call(target: Value, args: Arguments): Value {
  if (target instanceof Callable) return target.call(args);
  if (target instanceof Undefined) throw failure(target.message);
  throw failure(`'${typeName(target)}' object is not callable`);
}

/** `value | name(arguments)`. */
function applyFilter(name: string, value: Value, args: Arguments, environment: Environment): Value {
  const filter = environment.filters.get(name);
  if (filter !== undefined) return filter(value, args, environment);
  throw REFUSED_FILTERS.has(name)
    ? refused(`the filter "${name}"`)
    : failure(`No filter named '${name}' found.`);
}

function applyTest(name: string, value: Value, args: Arguments, environment: Environment): boolean {
  const test = environment.tests.get(name);
  if (test === undefined) throw failure(`No test named '${name}' found.`);
  return test(value, args);
}
