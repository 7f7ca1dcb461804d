import type { ParseOptions } from '../types.ts';

/** Options with those defaults filled in that readers ask for. */
export type ReadOptions = ParseOptions & Readonly<{ repair: boolean; maxDepth: number }>;

const defaults: ReadOptions = { repair: true, maxDepth: 1000 };

const types = Object.entries({
  tools: 'array',
  startInReasoning: 'boolean',
  reasoning: 'boolean',
  repair: 'boolean',
  newId: 'function',
  maxDepth: 'number',
  delivery: 'string',
});

const deliveries: readonly string[] = ['whole', 'incremental'];

/** Fills the defaults in. Throws a `TypeError` that names an option of a wrong type or value. */
export function readOptions(options?: ParseOptions): ReadOptions {
  if (options === undefined) return defaults;
  for (const [name, type] of types) {
    const value = options[name as keyof ParseOptions];
    if (value !== undefined) requireType(value, type, `the option ${name}`);
  }
  const { delivery = 'whole' } = options;
  if (!deliveries.includes(delivery))
    throw new TypeError(`the option delivery is '${deliveries.join("' or '")}', not '${delivery}'`);
  const { repair = defaults.repair, maxDepth = defaults.maxDepth } = options;
  return { ...options, repair, maxDepth };
}

/** Throws a `TypeError` that says what was given in place of the wanted type. */
export function requireType(value: unknown, type: string, who: string): void {
  const given = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  if (given !== type) throw new TypeError(`${who} needs ${type}, but was given ${given}`);
}
