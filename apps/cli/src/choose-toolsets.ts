import {
  type ChosenToolsets,
  chooseToolsets,
  type Environment,
  type EnvSettings,
} from '@hermes/env-core';
import type { Effects } from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';
import { todoToolset } from '@hermes/tools';
import { loadModule } from './load-module.ts';

/**
 * What the configuration makes of an environment's toolsets; absent where it says nothing. Those that any environment can be given because they
 * need no sandbox may be named too, and those of a package or a file. Logs what was asked for but is not there.
 */
export async function toolsetOptions(
  environment: Environment<unknown>,
  settings: EnvSettings,
  workingDirectory: string,
  { logger, random }: Effects,
): Promise<ChosenToolsets['options']> {
  const sources = {
    environment: environment.toolsets,
    provided: [todoToolset()],
    load: (specifier: string) => loadToolsets(specifier, workingDirectory),
  };
  const { options, warnings } = await chooseToolsets(settings, sources, random);
  for (const warning of warnings) logger.log('warn', warning);
  return options;
}

async function loadToolsets(specifier: string, from: string): Promise<unknown> {
  const module = await loadModule(specifier, from);
  if (module !== null) return module;
  const message = `env.enabled_toolsets: ${specifier} is not there; install the package, or write the path of a file with ./`;
  throw new HermesError('config', 'CONFIG', message);
}
