import type { JsonObject } from '@hermes/protocol';
import { numberOf } from './provider-keys.ts';

/** Variables of the original that stand for a key of section `env`, whatever the provider. */
const VARIABLES: readonly Readonly<{ variable: string; key: string; isNumber?: boolean }>[] = [
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
  const given = VARIABLES.flatMap(({ variable, key, isNumber = false }) => {
    const text = variables[variable];
    if (text === undefined || text === '') return [];
    return [[key, isNumber ? numberOf(text, variable) : text] as const];
  });
  return Object.fromEntries(given);
}
