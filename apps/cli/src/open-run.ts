import {
  configDigest,
  createEffects,
  type Environment,
  type EnvironmentDefinition,
  type RunConfig,
  type RunOptions,
} from '@hermes/env-core';
import type { Effects, JsonObject } from '@hermes/protocol';
import type { SandboxProvider } from '@hermes/sandbox';
import { toolsetOptions } from './choose-toolsets.ts';
import { type ConfigRequest, resolveConfig } from './config/resolve-config.ts';
import type { RunFlags } from './config/run-flags.ts';
import type { CliContext } from './context.ts';
import { findEnvironment } from './environments/find-environment.ts';
import type { ExitCode } from './exit-codes.ts';
import { findModel } from './find-model.ts';
import { closeInTime, unlessAborted } from './in-time.ts';
import type { ChosenModel, ModelEntry } from './models.ts';
import { note } from './note.ts';
import { modelOptions, openModel } from './open-model.ts';
import { type ChosenParser, chooseParser } from './parsers.ts';
import { specDefaults } from './sandboxes/builtin-providers.ts';
import { givenKeys } from './sandboxes/given-keys.ts';
import { openSandboxes } from './sandboxes/open-sandboxes.ts';
import { loggerOf } from './stderr-logger.ts';

/** What a command that plays rollouts asks for. */
export type RunRequest = Pick<ConfigRequest, 'command' | 'dotted' | 'overrides'> &
  Readonly<{
    flags: RunFlags;
    /** Section `env` as this command has it where nothing else is said. */
    defaults?: JsonObject;
    /** Only what a model has sampled, to the token, is of use. Default false. */
    needsTokens?: boolean;
    /** Others bring models of their own: sandboxes are held to what a live model needs. Default false. */
    playsOtherModels?: boolean;
    /** Refuses what cannot work before anything is opened; may throw. */
    check?: (model: ModelEntry, config: RunConfig) => void;
  }>;

/** Everything that rollouts are made of. */
export type OpenedRun = Readonly<{
  definition: EnvironmentDefinition;
  config: RunConfig;
  chosen: ChosenModel;
  effects: Effects;
  environment: Environment<unknown>;
  /** null: the environment needs none. */
  sandboxes: SandboxProvider | null;
  /** The options that every job has. */
  options: RunOptions<unknown>;
}>;

/**
 * Opens everything around the work: configuration, model, environment, sandboxes. What may refuse comes first, the cheapest before the rest;
 * whatever happens, everything is closed.
 */
export async function withRun(
  name: string,
  request: RunRequest,
  context: CliContext,
  work: (run: OpenedRun) => Promise<ExitCode>,
): Promise<ExitCode> {
  const definition = await findEnvironment(name, context);
  context.signal.throwIfAborted();
  const config = await resolveConfig({ ...request, definition }, context);
  const model = findModel(request.flags.model, config, context.models);
  request.check?.(model.entry, config);
  for (const notice of config.notices) note(context, notice);
  const effects = createEffects({ logger: loggerOf(context) }, request.flags.seed ?? 0);
  const parser = await chooseParser(config.env.toolCallParser, context);
  const needsTokens = request.needsTokens === true;
  const chosen = await openModel(model, config, needsTokens, context, effects);
  if (config.env.maxCostUsd !== null && chosen.prices?.price(chosen.modelId) === null)
    note(context, '--max-cost counts only what the endpoint tells itself: openai.price is not set');
  const parts = { definition, config, chosen, effects, parser };
  try {
    const isTrusted = model.entry.isTrusted && request.playsOtherModels !== true;
    const entry = { ...model.entry, isTrusted };
    return await withEnvironment(parts, entry, request, context, work);
  } finally {
    await closeInTime('the model', () => chosen.close?.(), context);
  }
}

type Parts = Omit<OpenedRun, 'environment' | 'sandboxes' | 'options'> &
  Readonly<{ parser: ChosenParser }>;

async function withEnvironment(
  { parser, ...parts }: Parts,
  model: ModelEntry,
  request: RunRequest,
  context: CliContext,
  work: (run: OpenedRun) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { definition, config, effects } = parts;
  const { signal, environmentVariables: variables } = context;
  const opening = definition.open(config.environment, { effects, signal, judge: null, variables });
  const environment = await unlessAborted(signal, opening, (late) => late.close?.());
  let sandboxes: SandboxProvider | null = null;
  try {
    const given = givenKeys(config.further, request.dotted, context);
    if (environment.sandbox !== undefined)
      sandboxes = await openSandboxes(config.env, given, model, context, effects);
    const spec = specDefaults(config.env.terminalBackend, given, context);
    const options: RunOptions<unknown> = {
      ...modelOptions(parts.chosen, config, parser),
      ...(await toolsetOptions(environment, config.env, context.workingDirectory, effects)),
      definition: {
        id: definition.id,
        version: definition.version,
        configDigest: configDigest(definition, config.environment),
      },
      environment,
      sandboxes,
      sandboxDefaults: { ...config.options.sandboxDefaults, ...spec },
      sinks: [],
      seed: request.flags.seed ?? 0,
      effects,
    };
    return await work({ ...parts, environment, sandboxes, options });
  } finally {
    await closeInTime('the environment', () => environment.close?.(), context);
    await closeInTime('the sandbox provider', () => sandboxes?.close(), context);
  }
}
