import { bind } from './bind-arguments.ts';
import { CHOOSING_FILTERS } from './choosing-filters.ts';
import type { Environment } from './environment.ts';
import { formatTime } from './format-time.ts';
import { integerOf, iterate } from './inspect-value.ts';
import { LIST_FILTERS } from './list-filters.ts';
import { NUMBER_FILTERS } from './number-filters.ts';
import { show } from './show-value.ts';
import { failure } from './template-failure.ts';
import { TESTS } from './tests.ts';
import { TEXT_FILTERS } from './text-filters.ts';
import { type Arguments, Callable, Dictionary, Namespace, type Value, View } from './values.ts';

/** The environment that transformers gives to chat templates. `now` is asked by `strftime_now`. */
export function createEnvironment(now: () => Date): Environment {
  const functions = [
    new Callable('range', range),
    new Callable('dict', (args) => new Dictionary([...entriesOf(args)])),
    new Callable('namespace', (args) => new Namespace(new Map(namedEntries(args)))),
    new Callable('raise_exception', raise),
    new Callable('strftime_now', (args) =>
      formatTime(now(), bind('strftime_now', ['format'], args).text('format')),
    ),
  ];
  const filters = [...TEXT_FILTERS, ...LIST_FILTERS, ...CHOOSING_FILTERS, ...NUMBER_FILTERS];
  return {
    filters: new Map(filters),
    tests: new Map([
      ...TESTS,
      ['filter', (value) => filters.some(([name]) => name === value)],
      ['test', (value) => TESTS.has(show(value))],
    ]),
    globals: new Map(functions.map((one) => [one.name, one])),
  };
}

/** The sandbox of the reference allows so many. */
const MAX_RANGE = 100_000;

function range(args: Arguments): View {
  const numbers = args.positional.map((value) => {
    const integer = integerOf(value);
    if (integer === null) throw failure('range() takes integers');
    return integer;
  });
  const [first = 0n, second, step = 1n] = numbers;
  const [start, stop] = second === undefined ? [0n, first] : [first, second];
  if (numbers.length === 0 || step === 0n)
    throw failure('range() without an end, or a step of zero');
  const items: Value[] = [];
  for (let value = start; step > 0n ? value < stop : value > stop; value += step) {
    if (items.length >= MAX_RANGE) throw failure('Range too big.');
    items.push(value);
  }
  return new View(items, 'range');
}

function* entriesOf(args: Arguments): Generator<readonly [Value, Value]> {
  for (const value of args.positional) {
    if (value instanceof Dictionary) yield* value.entries();
    else
      for (const pair of iterate(value)) {
        const [key = null, item = null] = iterate(pair);
        yield [key, item];
      }
  }
  yield* args.named;
}

function* namedEntries(args: Arguments): Generator<[string, Value]> {
  for (const [key, value] of entriesOf(args)) {
    if (show(key).startsWith('_'))
      throw failure('Chat templates cannot store underscore-prefixed attributes on a namespace');
    yield [show(key), value];
  }
}

function raise(args: Arguments): never {
  throw failure(show(bind('raise_exception', ['message'], args).get('message')));
}
