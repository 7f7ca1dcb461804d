import { resolve } from 'node:path';
import { loadRunConfig, type RunConfig } from '@hermes/env-core';
import { anyKeys } from '../config/any-keys.ts';
import { dottedOverrides } from '../config/dotted-overrides.ts';
import { flagOverrides } from '../config/flag-overrides.ts';
import type { CliContext } from '../context.ts';
import type { DottedFlag } from '../dotted-flags.ts';
import { type FoundModel, findModel } from '../find-model.ts';
import { providerKeyNames } from '../sandboxes/builtin-providers.ts';
import { variableLayer } from '../sandboxes/terminal-variables.ts';
import { type GatewayFlags, gatewayModelFlags } from './gateway-command.ts';

/** Variables, file, dotted and named flags as a run reads them; what an environment's own keys say is not looked at. */
export function gatewayConfig(
  flags: GatewayFlags,
  dotted: readonly DottedFlag[],
  { environmentVariables, workingDirectory }: CliContext,
): Promise<RunConfig> {
  return loadRunConfig({
    ...(flags.config === undefined ? {} : { file: resolve(workingDirectory, flags.config) }),
    layers: [variableLayer(environmentVariables)],
    furtherKeys: providerKeyNames,
    overrides: [
      ...dottedOverrides(dotted),
      ...flagOverrides([gatewayModelFlags], flags, workingDirectory),
    ],
    ...(flags.config === undefined ? {} : { environment: anyKeys }),
  });
}

/** Kinds of models that answer a foreign agent: the others play tasks. */
const ANSWERING: ReadonlySet<string> = new Set(['openai', 'llama']);

/** The model that a flag or the file names, by its name or its place; null = none: it is set up later. */
export function gatewayModel(
  { model }: GatewayFlags,
  config: RunConfig,
  { models }: CliContext,
): FoundModel | null {
  const wanted = model ?? (namesServer(config) ? 'openai' : null);
  if (wanted === null) return null;
  const answering = models.filter(({ name }) => ANSWERING.has(name));
  return findModel(wanted, config, answering);
}

function namesServer({ values }: RunConfig): boolean {
  return values.some(
    ({ path, sources }) =>
      /^openai\.(\d+\.)?(base_url|model_name|server_type)$/.test(path) &&
      sources.some(({ kind }) => kind === 'file' || kind === 'flag'),
  );
}
