import type { EvaluateOptions, RunConfig } from '@hermes/env-core';
import { createEffects } from '@hermes/env-core';
import type { Effects, JsonObject } from '@hermes/protocol';
import type { SandboxProvider } from '@hermes/sandbox';
import type { CliContext } from './context.ts';
import type { DottedFlag } from './dotted-flags.ts';
import { type EvaluateFlags, readConfig } from './evaluate-flags.ts';
import { evaluateOptions, type RunParts } from './evaluate-options.ts';
import type { ExitCode } from './exit-codes.ts';
import { findEnvironment } from './find-environment.ts';
import { findModel } from './find-model.ts';
import { knownEnvironments } from './known-environments.ts';
import type { ChosenModel, ModelEntry } from './models.ts';
import { chooseParser } from './parsers.ts';
import { specDefaults } from './sandboxes/builtin-providers.ts';
import { givenKeys } from './sandboxes/given-keys.ts';
import { openSandboxes } from './sandboxes/open-sandboxes.ts';
import { loggerOf } from './stderr-logger.ts';

/** What a command that plays rollouts asks for. */
export type RunRequest = Readonly<{
  environment: string;
  flags: EvaluateFlags;
  dotted: readonly DottedFlag[];
  /** Section `env` as this command has it where nothing else is said. */
  defaults?: JsonObject;
  /** Keys of section `env` that this command reads itself. */
  ownKeys?: readonly string[];
  /** Refuses what cannot work before anything is opened; may throw. */
  check?: (model: ModelEntry, config: RunConfig) => void;
}>;

/**
 * Opens everything that rollouts are made of around the work: configuration, model, environment, sandboxes. What may refuse comes first, the
 * cheapest before the rest; whatever happens, everything is closed.
 */
export async function withRun(
  { environment, flags, dotted, defaults, ownKeys = [], check }: RunRequest,
  context: CliContext,
  work: (options: EvaluateOptions<unknown>, parts: RunParts) => Promise<ExitCode>,
): Promise<ExitCode> {
  const model = findModel(flags.model, context.models);
  const known = knownEnvironments(context);
  const definition = await findEnvironment(environment, known, context.workingDirectory);
  context.signal.throwIfAborted();
  const config = await readConfig(definition, flags, dotted, context, defaults);
  check?.(model.entry, config);
  for (const notice of config.notices) if (!isAbout(notice, ownKeys)) note(context, notice);
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
      work({ ...options, ...parser }, parts),
    );
  } finally {
    await chosen.close?.();
  }
}

function isAbout(notice: string, keys: readonly string[]): boolean {
  return keys.some((key) => notice.startsWith(`env.${key} `));
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
