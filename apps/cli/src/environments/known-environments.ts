import type { EnvironmentDefinition } from '@hermes/env-core';
import type { CliContext } from '../context.ts';

/** An environment that can be named by its id. It is loaded when it is asked for: what it needs may be large. */
export interface EnvironmentEntry {
  readonly id: string;
  load(): Promise<EnvironmentDefinition>;
}

/** Those that come with the command, in the order in which they are shown. */
const builtin: readonly EnvironmentEntry[] = [
  entry('smoke', async () => (await import('@hermes/task-folders')).smoke),
  entry('tasks', async () => (await import('@hermes/task-folders')).taskFolders),
  entry('gsm8k', async () => (await import('@hermes/environments')).gsm8k),
  entry('humaneval', async () => (await import('@hermes/environments')).humaneval),
  entry('terminal-test', async () => (await import('@hermes/environments')).terminalTest),
];

/** Whether it comes with the command. */
export function isBuiltin(id: string): boolean {
  return builtin.some((known) => known.id === id);
}

/** The environments of the command and those that an app brought. */
export function knownEnvironments(
  context: Pick<CliContext, 'environments'>,
): readonly EnvironmentEntry[] {
  const brought = context.environments.map((definition) =>
    entry(definition.id, async () => definition),
  );
  return [...builtin, ...brought];
}

/** load: the data of an environment is its own business, and no type of the command. */
function entry(id: string, load: () => Promise<unknown>): EnvironmentEntry {
  return { id, load: async () => (await load()) as EnvironmentDefinition };
}
