import type { EnvironmentDefinition } from '@hermes/env-core';
import { HermesError } from '@hermes/protocol';
import { loadModule } from '../load-module.ts';
import { type AnnouncedEnvironment, announcedEnvironments } from './announced-list.ts';
import { isDefinition } from './is-definition.ts';
import { ownKeySchema } from './own-keys.ts';

/** An environment of another package by its id; null: none is announced under it. */
export function findAnnounced(id: string): AnnouncedEnvironment | null {
  return announcedEnvironments.find((one) => one.id === id) ?? null;
}

/** The environment itself, from its package as seen from the folder of the command; null: it is not there. */
export async function installedDefinition(
  { id, packageName }: AnnouncedEnvironment,
  workingDirectory: string,
): Promise<EnvironmentDefinition | null> {
  const module = (await loadModule(packageName, workingDirectory)) ?? {};
  const definitions = Object.values(module).filter(isDefinition);
  return definitions.find((found) => found.id === id) ?? null;
}

/** What stands in for an environment until its package is there: its configuration can be read, and it cannot be opened. */
export function announcedDefinition(announced: AnnouncedEnvironment): EnvironmentDefinition {
  const { id, keys, defaults, packageName } = announced;
  return {
    id,
    version: '0',
    description: `an environment of ${packageName}`,
    config: ownKeySchema(keys),
    defaults,
    open: () => Promise.reject(notInstalled(announced)),
  };
}

/** Says which package is missing, and what can be done without it. */
export function notInstalled({ id, packageName }: AnnouncedEnvironment): HermesError {
  const fix = `npm install ${packageName}`;
  const message = `the environment ${id} needs the package ${packageName}, which is not installed here or too old: ${fix}. Its configuration can be checked without it: hermes config check ${id} --config FILE`;
  return new HermesError('config', 'CONFIG', message, { details: { fix } });
}
