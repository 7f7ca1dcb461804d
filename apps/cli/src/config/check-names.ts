import type { RunConfig } from '@hermes/env-core';
import { HermesError } from '@hermes/protocol';
import type { CliContext } from '../context.ts';
import type { DottedFlag } from '../dotted-flags.ts';
import { engineSettings } from '../engines/engine-settings.ts';
import { findModel } from '../find-model.ts';
import { endpointOf } from '../openai/endpoint.ts';
import { chooseParser } from '../parsers.ts';
import { announcedProviders } from '../sandboxes/builtin-providers.ts';
import { givenKeys } from '../sandboxes/given-keys.ts';
import { checkProvider } from '../sandboxes/open-provider.ts';
import { checkToolsetNames } from './check-toolset-names.ts';
import type { ConfigFlags, ReadConfig } from './read-for-people.ts';

/** What a run would refuse of the names in a configuration when it opens its parts. Each is one sentence. */
export async function wrongNames(
  { config, environment }: Pick<ReadConfig, 'config' | 'environment'>,
  { model, for: command }: Pick<ConfigFlags, 'model' | 'for'>,
  dotted: readonly DottedFlag[],
  context: CliContext,
): Promise<readonly string[]> {
  const checks = [
    () => checkToolsetNames(config, environment),
    () => chooseParser(config.env.toolCallParser, context),
    () => checkSandbox(config, dotted, context),
    () => checkServers(config, context),
    () => (command === 'serve' ? checkTrainer(config) : undefined),
    () => (model === undefined ? undefined : findModel(model, config, context.models)),
  ];
  const problems: string[] = [];
  for (const check of checks) {
    const problem = await problemOf(check);
    if (problem !== null) problems.push(problem);
  }
  return problems;
}

async function problemOf(check: () => unknown): Promise<string | null> {
  try {
    await check();
    return null;
  } catch (error) {
    if (HermesError.isInstance(error) && isWrongConfig(error)) return error.message;
    throw error;
  }
}

/** Parts with a boundary of their own tell it by the code. */
function isWrongConfig({ boundary, code }: HermesError): boolean {
  return boundary === 'config' || code === 'CONFIG';
}

/** A provider that comes later is no mistake of the file. */
async function checkSandbox(
  { env, further }: RunConfig,
  dotted: readonly DottedFlag[],
  context: CliContext,
): Promise<void> {
  if (env.terminalBackend in announcedProviders) return;
  await checkProvider(env.terminalBackend, env.sandboxSettings, {
    workingDirectory: context.workingDirectory,
    given: givenKeys(further, dotted, context),
  });
}

/** A key that a variable is to hold need not be set where a file is checked. */
function checkServers({ servers }: RunConfig, { environmentVariables }: CliContext): void {
  for (const server of servers) {
    const settings = { ...server, apiKeyVariable: null };
    engineSettings(endpointOf(settings, server.modelName, environmentVariables));
  }
}

/** The client asks nobody before it is used. */
async function checkTrainer({ training }: RunConfig): Promise<void> {
  const { createTrajectoryClient } = await import('@hermes/atropos');
  createTrajectoryClient({ baseUrl: training.trainerUrl }).close();
}
