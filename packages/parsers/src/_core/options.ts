import type { ParseOptions } from '../types.ts';

/** Options with their defaults filled in. */
export type ReadOptions = ParseOptions &
  Readonly<{ repair: boolean; maxDepth: number; startInReasoning: boolean; reasoning: boolean }>;

const defaults: ReadOptions = {
  repair: true,
  maxDepth: 1000,
  startInReasoning: false,
  reasoning: true,
};

const kinds: Readonly<Record<string, string>> = {
  repair: 'boolean',
  maxDepth: 'number',
  startInReasoning: 'boolean',
  reasoning: 'boolean',
  newId: 'function',
  delivery: 'string',
};

/** Fills the defaults in. Throws a `TypeError` that names an option of a wrong type. */
export function readOptions(options: ParseOptions | undefined): ReadOptions {
  if (options === undefined) return defaults;
  const read: Record<string, unknown> = { ...defaults };
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    const isRight =
      name === 'tools' ? Array.isArray(value) : typeof value === (kinds[name] ?? typeof value);
    if (!isRight || (name === 'delivery' && value !== 'whole' && value !== 'incremental')) {
      throw new TypeError(`the option ${name} cannot be ${describe(value)}`);
    }
    read[name] = value;
  }
  return read as ReadOptions;
}

/** Throws a `TypeError` that says what was given in place of a string. */
export function requireString(value: unknown, where: string): void {
  if (typeof value === 'string') return;
  throw new TypeError(`${where} reads a string, but was given ${describe(value)}`);
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value)
    ? 'an array'
    : typeof value === 'string'
      ? `'${value}'`
      : typeof value;
}
