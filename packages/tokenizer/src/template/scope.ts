import { Undefined, type Value } from './values.ts';

/** The variables of a block; what is not here is looked for further out. */
export class Scope {
  private readonly variables = new Map<string, Value>();
  private readonly outer: Scope | null;

  constructor(outer: Scope | null) {
    this.outer = outer;
  }

  get(name: string): Value {
    const value = this.find(name);
    return value === undefined ? new Undefined(`'${name}' is undefined`) : value;
  }

  set(name: string, value: Value): void {
    this.variables.set(name, value);
  }

  private find(name: string): Value | undefined {
    return this.variables.has(name) ? this.variables.get(name) : this.outer?.find(name);
  }
}
