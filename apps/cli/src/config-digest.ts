import { createHash } from 'node:crypto';
import type { EnvironmentDefinition, RunConfig } from '@hermes/env-core';

/** Digest of what decides the environment's scores: its own keys. */
export function configDigest(_definition: EnvironmentDefinition, config: RunConfig): string {
  return createHash('sha256').update(JSON.stringify(config.environment)).digest('hex');
}
