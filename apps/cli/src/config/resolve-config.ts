import { resolve } from 'node:path';
import type {
  ConfigLayer,
  ConfigOverride,
  ConfigSource,
  EnvironmentDefinition,
  RunCommand,
  RunConfig,
} from '@hermes/env-core';
import { loadRunConfig } from '@hermes/env-core';
import type { JsonObject } from '@hermes/protocol';
import type { CliContext } from '../context.ts';
import type { DottedFlag } from '../dotted-flags.ts';
import { providerKeyNames } from '../sandboxes/builtin-providers.ts';
import { variableLayer } from '../sandboxes/terminal-variables.ts';
import { dottedOverrides } from './dotted-overrides.ts';
import { flagOverrides } from './flag-overrides.ts';
import { type RunFlags, runFlagGroups } from './run-flags.ts';

/** What a configuration is made of. */
export type ConfigRequest = Readonly<{
  command: RunCommand;
  /** null: not known; then any further key of section `env` passes. */
  definition: Pick<EnvironmentDefinition, 'id' | 'config' | 'defaults'> | null;
  flags: Partial<RunFlags>;
  dotted: readonly DottedFlag[];
  /** Section `env` as this command has it where nothing else is said. */
  defaults?: JsonObject;
  /** From the command's own flags. */
  overrides?: readonly ConfigOverride[];
}>;

/**
 * Makes one configuration of everything that was said, the weakest first: the environment, the command, variables, the file of `--config`,
 * dotted flags, named flags. Each value knows where it comes from. Throws CONFIG that names all that is wrong.
 */
export async function resolveConfig(
  request: ConfigRequest,
  context: CliContext,
): Promise<RunConfig> {
  const { command, definition, flags, dotted, overrides = [] } = request;
  const from = context.workingDirectory;
  const config = await loadRunConfig({
    command,
    layers: layersOf(request, context),
    ...(flags.config === undefined ? {} : { file: resolve(from, flags.config) }),
    furtherKeys: providerKeyNames,
    overrides: [
      ...dottedOverrides(dotted),
      ...flagOverrides(runFlagGroups, flags, from),
      ...overrides,
    ],
    environment: definition?.config ?? anyKeys,
  });
  return { ...config, notices: [...config.notices, ...idleFlags(flags)] };
}

function layersOf(
  { command, definition, defaults }: ConfigRequest,
  context: CliContext,
): readonly ConfigLayer[] {
  const own = definition?.defaults;
  return [
    ...(own === undefined || definition === null
      ? []
      : [{ ...own, source: { kind: 'environment', name: definition.id } } as const]),
    ...(defaults === undefined
      ? []
      : [{ env: defaults, source: { kind: 'command', name: `hermes ${command}` } } as const]),
    variableLayer(context.environmentVariables),
  ];
}

/** A file may be that of a run with keys of an environment that is not known here. */
const anyKeys: NonNullable<ConfigSource['environment']> = {
  '~standard': { version: 1, vendor: 'hermes', validate: (value) => ({ value }) },
};

function idleFlags({ slurm, testing }: Partial<RunFlags>): readonly string[] {
  return [
    ...(slurm === true ? ['--slurm has no effect here: servers stand in section openai'] : []),
    ...(testing === true
      ? ['--testing has no effect here: a model for trials is --model noop or oracle']
      : []),
  ];
}
