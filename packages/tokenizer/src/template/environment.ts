import type { Filter } from './filter.ts';
import type { Test } from './tests.ts';
import type { Value } from './values.ts';

/** What a template finds beside its input. */
export type Environment = Readonly<{
  filters: ReadonlyMap<string, Filter>;
  tests: ReadonlyMap<string, Test>;
  globals: ReadonlyMap<string, Value>;
}>;
