import type { Environment, EnvSettings, RunOptions } from '@hermes/env-core';
import type { Effects } from '@hermes/protocol';
import {
  resolveToolsets,
  type ToolsetCatalog,
  type ToolsetChoice,
  todoToolset,
} from '@hermes/tools';

type Settings = Pick<EnvSettings, 'enabledToolsets' | 'disabledToolsets' | 'distribution'>;

/**
 * What the configuration makes of an environment's toolsets; absent where it says nothing. A
 * distribution is drawn once a group. Logs what was asked for but is not there.
 */
export function chooseToolsets(
  environment: Environment<unknown>,
  settings: Settings,
  { logger, random }: Effects,
): Pick<RunOptions<unknown>, 'toolsets'> {
  const own = environment.toolsets.map(({ name }) => name);
  const choice = choiceOf(settings, own);
  if (choice === null) return {};
  const catalog = catalogOf(environment);
  const { warnings } = resolveToolsets(catalog, choice, random.fork('toolset warnings'));
  for (const warning of warnings) logger.log('warn', warning);
  return { toolsets: (group) => resolveToolsets(catalog, choice, group.random).toolsets };
}

/** The environment's own, and those that any environment can be given because they need no sandbox. */
function catalogOf(environment: Environment<unknown>): ToolsetCatalog {
  const provided = [todoToolset(), ...environment.toolsets];
  return { toolsets: new Map(provided.map((toolset) => [toolset.name, toolset])), includes: {} };
}

function choiceOf(
  { enabledToolsets, disabledToolsets, distribution }: Settings,
  own: readonly string[],
): ToolsetChoice | null {
  const disabled = disabledToolsets === null ? {} : { disabled: disabledToolsets };
  if (distribution !== null) return { distribution, ...disabled };
  if (enabledToolsets !== null) return { enabled: enabledToolsets, ...disabled };
  return disabledToolsets === null ? null : { enabled: own, ...disabled };
}
