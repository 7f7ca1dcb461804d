import type { Environment, EnvSettings, RunOptions } from '@hermes/env-core';
import { resolveToolsets, type ToolsetChoice } from '@hermes/tools';

type Settings = Pick<EnvSettings, 'enabledToolsets' | 'disabledToolsets' | 'distribution'>;

/** What the configuration leaves of an environment's toolsets; absent where it says nothing. A distribution is drawn once a group. */
export function chooseToolsets(
  environment: Environment<unknown>,
  settings: Settings,
): Pick<RunOptions<unknown>, 'toolsets'> {
  const choice = choiceOf(settings);
  if (choice === null) return {};
  const toolsets = new Map(environment.toolsets.map((toolset) => [toolset.name, toolset]));
  return {
    toolsets: ({ random }) => resolveToolsets({ toolsets, includes: {} }, choice, random).toolsets,
  };
}

function choiceOf({
  enabledToolsets,
  disabledToolsets,
  distribution,
}: Settings): ToolsetChoice | null {
  const disabled = disabledToolsets === null ? {} : { disabled: disabledToolsets };
  if (distribution !== null) return { distribution, ...disabled };
  if (enabledToolsets !== null) return { enabled: enabledToolsets, ...disabled };
  return disabledToolsets === null ? null : { all: true, ...disabled };
}
