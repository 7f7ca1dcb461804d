import type { EnvironmentDefinition } from '@hermes/env-core';
import type { CliContext } from './context.ts';

/** The environments that can be named by id: those of the command and those that an app brought. */
export async function knownEnvironments(
  context: CliContext,
): Promise<readonly EnvironmentDefinition[]> {
  const { smoke, taskFolders } = await import('@hermes/task-folders');
  const { gsm8k, humaneval, terminalTest } = await import('@hermes/environments');
  const builtin = [smoke, taskFolders, gsm8k, humaneval, terminalTest];
  return [...builtin, ...context.environments] as readonly EnvironmentDefinition[];
}
