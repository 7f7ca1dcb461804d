import type { ConfigLayer } from '@hermes/env-core';
import type { JsonObject } from '@hermes/protocol';
import { numberOf } from './provider-keys.ts';

/** Variables of the original that stand for a key of section `env`, whatever the provider. */
export const envVariables: readonly Readonly<{
  variable: string;
  key: string;
  isNumber?: boolean;
}>[] = [
  { variable: 'TERMINAL_ENV', key: 'terminal_backend' },
  { variable: 'TERMINAL_CWD', key: 'terminal_cwd' },
  { variable: 'TERMINAL_TIMEOUT', key: 'terminal_timeout', isNumber: true },
  { variable: 'TERMINAL_LIFETIME_SECONDS', key: 'terminal_lifetime', isNumber: true },
  {
    variable: 'TERMINAL_MAX_FOREGROUND_TIMEOUT',
    key: 'terminal_max_foreground_timeout',
    isNumber: true,
  },
  { variable: 'TERMINAL_CONTAINER_CPU', key: 'container_cpu', isNumber: true },
  { variable: 'TERMINAL_CONTAINER_MEMORY', key: 'container_memory', isNumber: true },
  { variable: 'TERMINAL_CONTAINER_DISK', key: 'container_disk', isNumber: true },
  { variable: 'TERMINAL_CONTAINER_PERSISTENT', key: 'container_persistent' },
];

/** What variables say of section `env`: weaker than the file and the flags. Throws CONFIG that names the variable of a malformed number. */
export function envOfVariables(
  variables: Readonly<Record<string, string | undefined>>,
): JsonObject {
  const given = envVariables.flatMap(({ variable, key, isNumber = false }) => {
    const text = variables[variable];
    if (text === undefined || text === '') return [];
    return [[key, isNumber ? numberOf(text, variable) : text] as const];
  });
  return Object.fromEntries(given);
}

/** The variable of a key of section `openai`. */
export const serverVariables: Readonly<Record<string, string>> = { base_url: 'OPENAI_BASE_URL' };

/** The same as a layer of a configuration, each value with the variable that it comes from. */
export function variableLayer(
  variables: Readonly<Record<string, string | undefined>>,
): ConfigLayer {
  const url = variables.OPENAI_BASE_URL;
  return {
    env: envOfVariables(variables),
    ...(url ? { openai: { base_url: url } } : {}),
    source: (key) => {
      const name = envVariables.find((one) => one.key === key)?.variable ?? serverVariables[key];
      return { kind: 'variable', name: name ?? key };
    },
  };
}
