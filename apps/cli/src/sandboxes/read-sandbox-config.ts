import { resolve } from 'node:path';
import type { EnvSettings } from '@hermes/env-core';
import { loadRunConfig } from '@hermes/env-core';
import type { JsonObject } from '@hermes/protocol';
import { anyKeys } from '../config/any-keys.ts';
import { dottedOverrides } from '../config/dotted-overrides.ts';
import type { CliContext } from '../context.ts';
import type { DottedFlag } from '../dotted-flags.ts';
import { providerKeyNames } from './builtin-providers.ts';
import { givenKeys } from './given-keys.ts';
import type { GivenKeys } from './provider-keys.ts';
import { variableLayer } from './terminal-variables.ts';

/** The flag `--config` of commands about sandboxes. */
export interface ConfigFlag {
  readonly config?: string;
}

/** What the configuration says about sandboxes. */
export interface SandboxConfig {
  /** Key `terminal_backend`; `local` unless said otherwise. */
  readonly backend: string;
  /** The same where somebody chose it: by flag, or with settings that are meant for one provider; null: nobody did. */
  readonly named: string | null;
  readonly settings: JsonObject | null;
  /** Keys `container_*`. */
  readonly limits: EnvSettings['containerLimits'];
  readonly given: GivenKeys;
}

/** Reads variables, file and dotted flags as `evaluate` does; what an environment's own keys say is not looked at. */
export async function readSandboxConfig(
  flags: ConfigFlag,
  dotted: readonly DottedFlag[],
  context: CliContext,
): Promise<SandboxConfig> {
  const file =
    flags.config === undefined ? {} : { file: resolve(context.workingDirectory, flags.config) };
  const { env, further } = await loadRunConfig({
    ...file,
    layers: [variableLayer(context.environmentVariables)],
    furtherKeys: providerKeyNames,
    overrides: dottedOverrides(dotted),
    ...(flags.config === undefined ? {} : { environment: anyKeys }),
  });
  const { terminalBackend: backend, sandboxSettings: settings, containerLimits: limits } = env;
  const isNamed = settings !== null || dotted.some(({ key }) => key === 'terminal_backend');
  const given = givenKeys(further, dotted, context);
  return { backend, named: isNamed ? backend : null, settings, limits, given };
}
