/**
 * The values of a template, with Python's distinctions: integers of any size (bigint) and floats,
 * lists (arrays) and tuples, dictionaries that keep their order and take any key, None (null), and
 * the undefined.
 */
export type Value =
  | string
  | bigint
  | boolean
  | null
  | readonly Value[]
  | Float
  | Tuple
  | Dictionary
  | View
  | Stream
  | Undefined
  | Markup
  | Callable
  | Namespace
  | Attributes;

/** A float; a number of JavaScript could not be told from an integer. */
export class Float {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
}

export class Tuple {
  readonly items: readonly Value[];
  constructor(items: readonly Value[]) {
    this.items = items;
  }
}

/** What `keys()`, `values()`, `items()` and `range()` give: it can be iterated, again and again, but not indexed. */
export class View {
  readonly items: readonly Value[];
  readonly name: string;
  constructor(items: readonly Value[], name: string) {
    this.items = items;
    this.name = name;
  }
}

/** What many filters give: it can be iterated once, has no length, and is never false. */
export class Stream {
  private readonly iterator: Iterator<Value>;
  constructor(values: Iterable<Value>) {
    this.iterator = values[Symbol.iterator]();
  }

  next(): IteratorResult<Value> {
    return this.iterator.next();
  }
}

/** A name or attribute that is not there. */
export class Undefined {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

/** A text that is safe for HTML: what is added to it gets escaped. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** The arguments of a call. */
export type Arguments = Readonly<{
  positional: readonly Value[];
  named: ReadonlyMap<string, Value>;
}>;

export class Callable {
  readonly name: string;
  readonly call: (args: Arguments) => Value;
  constructor(name: string, call: (args: Arguments) => Value) {
    this.name = name;
    this.call = call;
  }
}

/** `namespace()`: the one thing that templates can change from within a loop. */
export class Namespace {
  readonly entries: Map<string, Value>;
  constructor(entries: Map<string, Value>) {
    this.entries = entries;
  }
}

/** An object of the engine with attributes only, such as `loop`. */
export class Attributes {
  readonly name: string;
  readonly get: (attribute: string) => Value | undefined;
  constructor(name: string, get: (attribute: string) => Value | undefined) {
    this.name = name;
    this.get = get;
  }
}

/** A dictionary in the order of its entries. `1`, `1.0` and `True` are the same key, as in Python. */
export class Dictionary {
  private readonly slots = new Map<string, readonly [key: Value, value: Value]>();

  constructor(entries: Iterable<readonly [Value, Value]> = []) {
    for (const [key, value] of entries) this.set(key, value);
  }

  get size(): number {
    return this.slots.size;
  }

  get(key: Value): Value | undefined {
    return this.slots.get(slotName(key))?.[1];
  }

  has(key: Value): boolean {
    return this.slots.has(slotName(key));
  }

  set(key: Value, value: Value): void {
    const name = slotName(key);
    this.slots.set(name, [this.slots.get(name)?.[0] ?? key, value]);
  }

  entries(): (readonly [key: Value, value: Value])[] {
    return [...this.slots.values()];
  }

  keys(): Value[] {
    return this.entries().map(([key]) => key);
  }

  values(): Value[] {
    return this.entries().map(([, value]) => value);
  }
}

function slotName(key: Value): string {
  if (typeof key === 'string') return `s${key}`;
  if (key instanceof Markup) return `s${key.text}`;
  if (key === null) return 'None';
  if (typeof key === 'boolean') return `n${Number(key)}`;
  if (typeof key === 'bigint') return `n${key}`;
  if (key instanceof Float)
    return Number.isInteger(key.value) ? `n${BigInt(key.value)}` : `n${key.value}`;
  if (key instanceof Tuple) return `t${JSON.stringify(key.items.map(slotName))}`;
  throw new TypeError('unhashable');
}
