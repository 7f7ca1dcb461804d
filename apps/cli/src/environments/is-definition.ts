import type { EnvironmentDefinition } from '@hermes/env-core';

/** Whether what a module exports is an environment. */
export function isDefinition(value: unknown): value is EnvironmentDefinition {
  return (
    typeof value === 'object' &&
    value !== null &&
    'id' in value &&
    'version' in value &&
    'config' in value &&
    'open' in value
  );
}
