import { areEqual } from './operators.ts';
import { failure } from './template-failure.ts';
import { Attributes, Callable, Tuple, Undefined, type Value } from './values.ts';

/** The variable `loop` of one loop; `at` moves it on. */
export class Loop {
  readonly value: Attributes;
  private readonly items: readonly Value[];
  private readonly depth: number;
  private index = 0;
  private lastChanged: Value | null = null;

  constructor(items: readonly Value[], depth: number) {
    this.items = items;
    this.depth = depth;
    this.value = new Attributes('LoopContext', (name) => this.attributes[name]?.());
  }

  at(index: number): void {
    this.index = index;
  }

  private readonly attributes: Readonly<Record<string, () => Value>> = {
    changed: () => new Callable('changed', ({ positional }) => this.changed(new Tuple(positional))),
    cycle: () => new Callable('cycle', ({ positional }) => this.cycle(positional)),
    depth: () => BigInt(this.depth + 1),
    depth0: () => BigInt(this.depth),
    first: () => this.index === 0,
    index: () => BigInt(this.index + 1),
    index0: () => BigInt(this.index),
    last: () => this.index === this.items.length - 1,
    length: () => BigInt(this.items.length),
    nextitem: () => this.neighbour(1),
    previtem: () => this.neighbour(-1),
    revindex: () => BigInt(this.items.length - this.index),
    revindex0: () => BigInt(this.items.length - this.index - 1),
  };

  private neighbour(step: 1 | -1): Value {
    const item = this.items[this.index + step];
    return item === undefined ? new Undefined('there is no such item in the loop') : item;
  }

  private cycle(values: readonly Value[]): Value {
    const value = values[this.index % values.length];
    if (value === undefined) throw failure('no items for cycling given');
    return value;
  }

  private changed(value: Tuple): boolean {
    const isSame = this.lastChanged !== null && areEqual(this.lastChanged, value);
    this.lastChanged = value;
    return !isSame;
  }
}
