import type { ToolCallParser } from '../types.ts';
import { wrongOn } from './fuzz-checks.ts';
import { createFuzzInputs, type FuzzInput, type FuzzSeed } from './fuzz-inputs.ts';
import { seededRandom } from './random.ts';

/** An input on which a parser is wrong. */
export type FuzzFailure = Readonly<{ format: string; reason: string; input: FuzzInput }>;

/**
 * Tries a parser with `count` inputs made from known texts of its format; the same seed makes the
 * same inputs. The first failure, or null: nothing thrown, every stream as in one piece and as
 * its events tell it, arguments always JSON objects, no text lost or doubled.
 */
export function fuzzParser(
  parser: ToolCallParser,
  seeds: readonly FuzzSeed[],
  { seed, count }: Readonly<{ seed: number; count: number }>,
): FuzzFailure | null {
  const random = seededRandom(seed);
  const next = createFuzzInputs(parser, seeds, random);
  for (let done = 0; done < count; done += 1) {
    const input = next();
    const reason = wrongOn(parser, input, random);
    if (reason !== null) return { format: parser.name, reason, input };
  }
  return null;
}
