import type { ParseOptions } from '../types.ts';

/** Options with those defaults filled in that readers ask for. */
export type ReadOptions = ParseOptions &
  Readonly<{ reasoning: boolean; repair: boolean; maxDepth: number }>;

const types = {
  tools: 'array',
  startInReasoning: 'boolean',
  reasoning: 'boolean',
  repair: 'boolean',
  newId: 'function',
  maxDepth: 'number',
  delivery: 'string',
};

/** Fills the defaults in. Throws a `TypeError` that names an option of a wrong type or value. */
export function readOptions(options: ParseOptions = {}): ReadOptions {
  const { reasoning = true, repair = true, maxDepth = 1000, delivery = 'whole' } = options;
  const read = { ...options, reasoning, repair, maxDepth, delivery };
  for (const [name, type] of Object.entries(types)) {
    const value = read[name as keyof ParseOptions];
    if (value !== undefined) requireType(value, type, `the option ${name}`);
  }
  if (delivery !== 'whole' && delivery !== 'incremental')
    throw new TypeError(`the option delivery is 'whole' or 'incremental', not '${delivery}'`);
  return read;
}

/** Throws a `TypeError` that says what was given in place of the wanted type. */
export function requireType(value: unknown, type: string, who: string): void {
  const given = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  if (given !== type) throw new TypeError(`${who} needs ${type}, but was given ${given}`);
}
