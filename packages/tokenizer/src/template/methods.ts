import { bind } from './bind-arguments.ts';
import { isList, textOf, typeName } from './inspect-value.ts';
import { areEqual } from './operators.ts';
import { callStringMethod } from './string-methods.ts';
import { failure, refused } from './template-failure.ts';
import { type Arguments, Dictionary, Markup, Tuple, type Value, View } from './values.ts';

/** Whether the type of the value has an attribute of this name in Python, and whether the sandbox lets templates use it. */
export function methodNames(value: Value, name: string): 'method' | 'unsafe' | 'none' {
  const [methods, unsafe] = NAMES[typeName(value)] ?? [];
  if (unsafe?.has(name)) return 'unsafe';
  return methods?.has(name) ? 'method' : 'none';
}

function names(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

const STRING_NAMES = names(
  'capitalize casefold center count encode endswith expandtabs find format format_map index isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper join ljust lower lstrip maketrans partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title translate upper zfill',
);
const NUMBER_NAMES = names('as_integer_ratio conjugate imag real');
const INTEGER_NAMES = names(
  'as_integer_ratio bit_count bit_length conjugate denominator from_bytes imag numerator real to_bytes',
);

const NAMES: Readonly<
  Record<string, readonly [methods: ReadonlySet<string>, unsafe?: ReadonlySet<string>]>
> = {
  str: [STRING_NAMES],
  Markup: [STRING_NAMES],
  dict: [
    names('copy fromkeys get items keys values'),
    names('clear pop popitem setdefault update'),
  ],
  list: [names('copy count index'), names('append clear extend insert pop remove reverse sort')],
  tuple: [names('count index')],
  int: [INTEGER_NAMES],
  bool: [INTEGER_NAMES],
  float: [new Set([...NUMBER_NAMES, 'fromhex', 'hex', 'is_integer'])],
};

/** Calls a method of a value; one that is not known is refused by name. */
export function callMethod(value: Value, name: string, args: Arguments): Value {
  const result = methodResult(value, name, args);
  if (result !== undefined) return result;
  throw refused(`the method "${name}" of ${typeName(value)}`);
}

function methodResult(value: Value, name: string, args: Arguments): Value | undefined {
  if (value instanceof Markup) return undefined;
  const text = textOf(value);
  if (text !== null) return callStringMethod(text, name, args);
  if (value instanceof Dictionary) return dictionaryMethod(value, name, args);
  const items = isList(value) ? value : value instanceof Tuple ? value.items : null;
  return items === null ? undefined : listMethod(items, name, args);
}

function dictionaryMethod(
  dictionary: Dictionary,
  name: string,
  args: Arguments,
): Value | undefined {
  if (name === 'get') {
    const bound = bind('get', ['key', 'default'], args);
    const value = dictionary.get(bound.get('key'));
    return value === undefined ? bound.get('default', null) : value;
  }
  if (name === 'items') return new View(pairs(dictionary), 'dict_items');
  if (name === 'keys') return new View(dictionary.keys(), 'dict_keys');
  if (name === 'values') return new View(dictionary.values(), 'dict_values');
  return name === 'copy' ? new Dictionary(dictionary.entries()) : undefined;
}

/** The entries as pairs. */
export function pairs(dictionary: Dictionary): Tuple[] {
  return dictionary.entries().map((entry) => new Tuple(entry));
}

function listMethod(items: readonly Value[], name: string, args: Arguments): Value | undefined {
  if (name === 'copy') return [...items];
  if (name !== 'count' && name !== 'index') return undefined;
  const wanted = bind(name, ['value'], args).get('value');
  if (name === 'count') return BigInt(items.filter((item) => areEqual(item, wanted)).length);
  const index = items.findIndex((item) => areEqual(item, wanted));
  if (index === -1) throw failure('the value is not in the list');
  return BigInt(index);
}
