import type { ParseOptions } from '../types.ts';
import { randomCallId } from './ids.ts';

/** Options with all defaults filled in. Without tools the list of them is empty. */
export type ReadOptions = Readonly<Required<ParseOptions>>;

/**
 * Fills the defaults in. Throws a `TypeError` that names an option of a wrong type or value.
 * `newId` is the format's own maker of ids.
 */
export function readOptions(
  options: ParseOptions = {},
  newId: () => string = randomCallId,
): ReadOptions {
  const read: ReadOptions & Record<string, unknown> = {
    tools: [],
    startInReasoning: false,
    reasoning: true,
    repair: true,
    newId,
    maxDepth: 1000,
    delivery: 'whole',
  };
  for (const name in read) {
    const value = options[name as keyof ParseOptions];
    if (value === undefined) continue;
    requireType(value, read[name], `the option ${name}`);
    read[name] = value;
  }
  const { delivery } = read;
  if (delivery !== 'whole' && delivery !== 'incremental')
    throw new TypeError(`the option delivery is 'whole' or 'incremental', not '${delivery}'`);
  return read;
}

/** Throws a `TypeError` that says what was given in place of something like the example. */
export function requireType(value: unknown, example: unknown, who: string): void {
  const given = typeOf(value);
  const wanted = typeOf(example);
  if (given !== wanted) throw new TypeError(`${who} needs ${wanted}, but was given ${given}`);
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
