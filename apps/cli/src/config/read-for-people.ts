import {
  type ConfigSchema,
  ownConfigKeys,
  type RunCommand,
  type RunConfig,
} from '@hermes/env-core';
import type { CliContext } from '../context.ts';
import type { DottedFlag } from '../dotted-flags.ts';
import {
  type AnnouncedEnvironment,
  announcedEnvironments,
} from '../environments/announced-list.ts';
import { findOrAnnounced } from '../environments/find-environment.ts';
import { knownEnvironments } from '../environments/known-environments.ts';
import { commandDefaults } from './command-defaults.ts';
import { resolveConfig } from './resolve-config.ts';
import type { RunFlags } from './run-flags.ts';

/** The flags of `hermes config show` and `check`. */
export type ConfigFlags = RunFlags & Readonly<{ for?: RunCommand; json?: boolean }>;

/** A configuration as a run would have it. missing: the environment whose package is not installed. */
export type ReadConfig = Readonly<{
  config: RunConfig;
  environment: string | null;
  missing: AnnouncedEnvironment | null;
}>;

/** Reads what a run would read, without opening anything. name null: the keys of every environment that is known pass. */
export async function readForPeople(
  name: string | null,
  flags: ConfigFlags,
  dotted: readonly DottedFlag[],
  context: CliContext,
): Promise<ReadConfig> {
  const { definition, missing } =
    name === null
      ? { definition: await anyEnvironment(context), missing: null }
      : await findOrAnnounced(name, context);
  const command = flags.for ?? 'evaluate';
  const defaults = commandDefaults(command);
  const config = await resolveConfig({ command, definition, flags, dotted, defaults }, context);
  return { config, environment: name === null ? null : definition.id, missing };
}

/** Stands for an environment that nobody has named: it has the keys of all, whatever their values. */
async function anyEnvironment(
  context: CliContext,
): Promise<{ readonly id: string; readonly config: ConfigSchema<unknown> }> {
  const known = await Promise.all(knownEnvironments(context).map((entry) => entry.load()));
  const keys = [
    ...known.flatMap(({ config }) => ownConfigKeys(config) ?? []),
    ...announcedEnvironments.flatMap((one) => Object.keys(one.keys)),
  ];
  const shape = Object.fromEntries(keys.map((key) => [key, null]));
  const standard = {
    version: 1,
    vendor: 'hermes',
    validate: (value: unknown) => ({ value }),
  } as const;
  return { id: 'any', config: { shape, '~standard': standard } as ConfigSchema<unknown> };
}
