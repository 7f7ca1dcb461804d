import { resolve } from 'node:path';
import type {
  ConfigLayer,
  ConfigOverride,
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
import { withPoolMode } from '../sandboxes/with-pool-mode.ts';
import { dottedOverrides } from './dotted-overrides.ts';
import { flagOverrides } from './flag-overrides.ts';
import { type RunFlags, runFlagGroups } from './run-flags.ts';

/** What a configuration is made of. */
export type ConfigRequest = Readonly<{
  command: RunCommand;
  definition: Pick<EnvironmentDefinition, 'id' | 'config' | 'defaults'>;
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
    environment: definition.config,
  });
  return withPoolMode({ ...config, notices: [...config.notices, ...idleFlags(flags)] });
}

function layersOf(
  { command, definition, defaults = {} }: ConfigRequest,
  context: CliContext,
): readonly ConfigLayer[] {
  return [
    { ...definition.defaults, source: { kind: 'environment', name: definition.id } },
    { env: defaults, source: { kind: 'command', name: `hermes ${command}` } },
    variableLayer(context.environmentVariables),
  ];
}

function idleFlags({ slurm, testing }: Partial<RunFlags>): readonly string[] {
  return [
    ...(slurm === true ? ['--slurm has no effect here: servers stand in section openai'] : []),
    ...(testing === true
      ? ['--testing has no effect here: a model for trials is --model noop or oracle']
      : []),
  ];
}
