import type { HermesError, Random } from '@hermes/protocol';
import { DISTRIBUTIONS } from './_toolset-names.ts';

type Drawn = Readonly<{ sampled: readonly string[]; skipped: readonly string[] }>;

/** Draws each toolset with its percentage; when none comes, the likeliest one is taken. */
export function sampleDistribution(
  name: string,
  isProvided: (toolset: string) => boolean,
  random: Random,
  unknownName: (kind: string, name: string, known: Iterable<string>) => HermesError,
): Drawn {
  const distribution = Object.hasOwn(DISTRIBUTIONS, name) ? DISTRIBUTIONS[name] : undefined;
  if (distribution === undefined) {
    throw unknownName('toolset distribution', name, Object.keys(DISTRIBUTIONS));
  }
  const entries = Object.entries(distribution);
  // Every entry draws, so that the numbers do not depend on what is provided.
  const drawn = entries.filter(([, percentage]) => random.next() * 100 < percentage);
  const sampled = drawn.map(([toolset]) => toolset).filter(isProvided);
  const provided = entries.filter(([toolset]) => isProvided(toolset));
  const [likeliest] = provided.toSorted(([, one], [, other]) => other - one);
  const skipped = entries.map(([toolset]) => toolset).filter((toolset) => !isProvided(toolset));
  if (sampled.length > 0 || likeliest === undefined) return { sampled, skipped };
  return { sampled: [likeliest[0]], skipped };
}
