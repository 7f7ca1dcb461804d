import { createHash } from 'node:crypto';
import { canonicalJson } from './_canonical-json.ts';
import type { EnvironmentDefinition } from './environment.ts';

/**
 * Digest of an environment's own configuration for `definition.configDigest`: the same values give
 * the same digest, in whichever order and on whichever machine. Keys that only name a place are left out.
 */
export function configDigest(
  definition: Pick<EnvironmentDefinition, 'places'>,
  config: unknown,
): string {
  const text = canonicalJson(withoutPlaces(config, definition.places ?? []));
  return createHash('sha256').update(text).digest('hex');
}

function withoutPlaces(config: unknown, places: readonly string[]): unknown {
  if (typeof config !== 'object' || config === null || Array.isArray(config)) return config ?? null;
  return Object.fromEntries(Object.entries(config).filter(([key]) => !places.includes(key)));
}
