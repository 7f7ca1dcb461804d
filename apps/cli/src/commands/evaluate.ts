import type { EvaluateOptions, RunConfig } from '@hermes/env-core';
import { createEffects } from '@hermes/env-core';
import type { Effects } from '@hermes/protocol';
import type { SandboxProvider } from '@hermes/sandbox';
import type { CliContext } from '../context.ts';
import type { DottedFlag } from '../dotted-flags.ts';
import { type EvaluateFlags, readConfig } from '../evaluate-flags.ts';
import { evaluateOptions, type RunParts } from '../evaluate-options.ts';
import type { ExitCode } from '../exit-codes.ts';
import { findEnvironment } from '../find-environment.ts';
import { findModel } from '../find-model.ts';
import { knownEnvironments } from '../known-environments.ts';
import type { ChosenModel, ModelEntry } from '../models.ts';
import { chooseParser } from '../parsers.ts';
import { retryOf } from '../retry-flag.ts';
import { checkResume } from '../run-directory-path.ts';
import { runInDirectory } from '../run-in-directory.ts';
import { specDefaults } from '../sandboxes/builtin-providers.ts';
import { givenKeys } from '../sandboxes/given-keys.ts';
import { openSandboxes } from '../sandboxes/open-sandboxes.ts';
import { loggerOf } from '../stderr-logger.ts';

/** `hermes evaluate`: configuration, then concrete parts, then the run, then the table. What may refuse comes first, the cheapest before the rest. */
export async function runEvaluate(
  name: string,
  flags: EvaluateFlags,
  dotted: readonly DottedFlag[],
  context: CliContext,
): Promise<ExitCode> {
  checkResume(flags);
  const retry = retryOf(flags);
  const model = findModel(flags.model, context.models);
  const known = knownEnvironments(context);
  const definition = await findEnvironment(name, known, context.workingDirectory);
  context.signal.throwIfAborted();
  const config = await readConfig(definition, flags, dotted, context);
  for (const notice of config.notices) note(context, notice);
  const effects = createEffects({ logger: loggerOf(context) }, flags.seed ?? 0);
  const parser = await chooseParser(config.env.toolCallParser, context);
  const given = givenKeys(config.further, dotted, context);
  const sandboxSpec = specDefaults(config.env.terminalBackend, given, context);
  const chosen = await chooseModel(model, config, context, effects);
  if (config.env.maxCostUsd !== null && chosen.prices?.price(chosen.modelId) === null)
    note(context, '--max-cost counts only what the endpoint tells itself: openai.price is not set');
  const parts = { definition, config, chosen, effects, given, sandboxSpec };
  try {
    return await withEnvironment(parts, model.entry, flags, context, (options) =>
      runInDirectory({ ...options, ...parser }, { ...parts, retry }, flags, context),
    );
  } finally {
    await chosen.close?.();
  }
}

function note(context: CliContext, text: string): void {
  context.stderr.write(`note: ${text}\n`);
}

async function chooseModel(
  { entry, rest }: ReturnType<typeof findModel>,
  config: RunConfig,
  context: CliContext,
  effects: Effects,
): Promise<ChosenModel> {
  const { environmentVariables, signal } = context;
  const chosen = await entry.choose(rest, {
    servers: config.servers,
    environmentVariables,
    effects,
    note: (text) => note(context, text),
  });
  try {
    await chosen.preflight?.(signal);
    return chosen;
  } catch (error) {
    await chosen.close?.();
    throw error;
  }
}

/** Opens environment and sandboxes around the work. */
async function withEnvironment(
  parts: RunParts,
  model: ModelEntry,
  flags: EvaluateFlags,
  context: CliContext,
  work: (options: EvaluateOptions<unknown>) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { definition, config, effects } = parts;
  const environment = await definition.open(config.environment, {
    effects,
    signal: context.signal,
    judge: null,
    variables: context.environmentVariables,
  });
  let provider: SandboxProvider | null = null;
  try {
    if (environment.sandbox !== undefined)
      provider = await openSandboxes(config.env, parts.given, model, context, effects);
    return await work(evaluateOptions(parts, flags, environment, provider));
  } finally {
    await environment.close?.();
    await provider?.close();
  }
}
