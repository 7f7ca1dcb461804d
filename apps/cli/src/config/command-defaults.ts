import type { RunCommand } from '@hermes/env-core';
import type { JsonObject } from '@hermes/protocol';

/** Section `env` as a command has it where nothing else is said. lines: of `process`. */
export function commandDefaults(command: RunCommand, lines?: string): JsonObject {
  if (command === 'process') return { group_size: lines === 'groups' ? 4 : 1, total_steps: -1 };
  return command === 'serve' ? { total_steps: -1 } : {};
}
