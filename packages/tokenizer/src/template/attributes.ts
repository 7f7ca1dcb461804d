import { integerOf, isList, numberOf, textOf, typeName } from './inspect-value.ts';
import { callMethod, methodNames } from './methods.ts';
import { represent } from './show-value.ts';
import { failure, refused } from './template-failure.ts';
import {
  Attributes,
  Callable,
  Dictionary,
  Namespace,
  Tuple,
  Undefined,
  type Value,
} from './values.ts';

/** `value.name`: an attribute of Python first, methods among them, then an entry of that name. */
export function getAttribute(value: Value, name: string): Value {
  if (value instanceof Undefined) throw failure(value.message);
  const attribute = attributeOf(value, name);
  const found = attribute === undefined ? entryOf(value, name) : attribute;
  return found === undefined ? missing(value, name) : found;
}

/** `value[key]`: an entry first, then an attribute of that name. */
export function getItem(value: Value, key: Value): Value {
  if (value instanceof Undefined) throw failure(value.message);
  const entry = entryOf(value, key);
  if (entry !== undefined) return entry;
  const name = textOf(key);
  const attribute = name === null ? undefined : attributeOf(value, name);
  if (attribute !== undefined) return attribute;
  return name === null
    ? new Undefined(`${typeName(value)} object has no element ${represent(key)}`)
    : missing(value, name);
}

function missing(value: Value, name: string): Undefined {
  return new Undefined(`'${typeName(value)} object' has no attribute '${name}'`);
}

function entryOf(value: Value, key: Value): Value | undefined {
  if (value instanceof Dictionary)
    return isList(key) || key instanceof Dictionary || key instanceof Undefined
      ? undefined
      : value.get(key);
  const index = integerOf(key);
  const items = index === null ? null : indexed(value);
  if (index === null || items === null) return undefined;
  return items[Number(index < 0n ? BigInt(items.length) + index : index)];
}

function indexed(value: Value): readonly Value[] | null {
  const text = textOf(value);
  if (text !== null) return Array.from(text);
  if (isList(value)) return value;
  return value instanceof Tuple ? value.items : null;
}

function attributeOf(value: Value, name: string): Value | undefined {
  if (name.startsWith('__')) throw refused(`the attribute "${name}"`);
  if (value instanceof Namespace) return value.entries.get(name);
  if (value instanceof Attributes) return value.get(name);
  const kind = methodNames(value, name);
  if (kind === 'none') return undefined;
  if (numberOf(value) !== null) throw refused(`the attribute "${name}" of a number`);
  if (kind === 'unsafe')
    return new Undefined(`access to attribute '${name}' of '${typeName(value)}' object is unsafe.`);
  return new Callable(name, (args) => callMethod(value, name, args));
}

/** `value[start:stop:step]`. */
export function slice(value: Value, parts: readonly Value[]): Value {
  if (value instanceof Undefined) throw failure(value.message);
  const items = indexed(value);
  if (items === null) return missing(value, 'slice');
  const [start = null, stop = null, step = null] = parts.map(bound);
  const taken = sliced(items, start, stop, step ?? 1);
  if (textOf(value) !== null) return taken.map((one) => textOf(one) ?? '').join('');
  return value instanceof Tuple ? new Tuple(taken) : taken;
}

function bound(part: Value): number | null {
  if (part === null) return null;
  const integer = integerOf(part);
  if (integer === null) throw failure('slice indices must be integers or None');
  return Number(integer);
}

function sliced(
  items: readonly Value[],
  start: number | null,
  stop: number | null,
  step: number,
): Value[] {
  if (step === 0) throw failure('slice step cannot be zero');
  const last = items.length - 1;
  const [low, high] = step > 0 ? [0, items.length] : [-1, last];
  const place = (index: number | null, byDefault: number): number => {
    if (index === null) return byDefault;
    return Math.min(Math.max(index < 0 ? index + items.length : index, low), high);
  };
  const from = place(start, step > 0 ? 0 : last);
  const to = place(stop, step > 0 ? items.length : -1);
  const taken: Value[] = [];
  for (let index = from; step > 0 ? index < to : index > to; index += step)
    taken.push(items[index] ?? null);
  return taken;
}
