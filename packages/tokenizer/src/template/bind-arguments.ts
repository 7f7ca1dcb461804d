import { integerOf, textOf, typeName } from './inspect-value.ts';
import { failure } from './template-failure.ts';
import { type Arguments, Undefined, type Value } from './values.ts';

/** The arguments of a call by the names of the parameters. */
export class Bound {
  private readonly values: ReadonlyMap<string, Value>;
  private readonly callee: string;

  constructor(callee: string, values: ReadonlyMap<string, Value>) {
    this.callee = callee;
    this.values = values;
  }

  has(name: string): boolean {
    return this.values.has(name);
  }

  /** The argument; where it was not given, the default, else it is a failure. */
  get(name: string, byDefault?: Value): Value {
    const value = this.values.has(name) ? this.values.get(name) : byDefault;
    if (value !== undefined) return value;
    throw failure(`${this.callee} misses the argument '${name}'`);
  }

  text(name: string, byDefault?: string): string {
    const value = this.get(name, byDefault);
    const text = textOf(value);
    if (text !== null) return text;
    throw this.wrong(name, 'str', value);
  }

  integer(name: string, byDefault?: bigint): number {
    const value = this.get(name, byDefault);
    const integer = integerOf(value);
    if (integer !== null) return Number(integer);
    throw this.wrong(name, 'int', value);
  }

  private wrong(name: string, wanted: string, value: Value): Error {
    if (value instanceof Undefined) return failure(value.message);
    return failure(`'${name}' of ${this.callee} must be ${wanted}, not ${typeName(value)}`);
  }
}

/** Sorts the arguments of a call to the parameters, as Python does. */
export function bind(callee: string, parameters: readonly string[], args: Arguments): Bound {
  if (args.positional.length > parameters.length)
    throw failure(`${callee} takes at most ${parameters.length} arguments`);
  const values = new Map<string, Value>();
  args.positional.forEach((value, index) => {
    values.set(parameters[index] ?? '', value);
  });
  for (const [name, value] of args.named) {
    if (!parameters.includes(name)) throw failure(`${callee} has no argument '${name}'`);
    if (values.has(name)) throw failure(`${callee} got several values for '${name}'`);
    values.set(name, value);
  }
  return new Bound(callee, values);
}
