import type { Environment } from './environment.ts';
import type { Arguments, Value } from './values.ts';

/** A filter: `value | name(arguments)`. */
export type Filter = (value: Value, args: Arguments, environment: Environment) => Value;
