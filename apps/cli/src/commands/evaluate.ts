import type {
  Environment,
  EnvironmentDefinition,
  EvaluateOptions,
  RolloutSink,
  RunConfig,
  RunSummary,
} from '@hermes/env-core';
import { configDigest, createEffects, evaluate, openRunDirectory, planOf } from '@hermes/env-core';
import type { Effects } from '@hermes/protocol';
import type { SandboxProvider } from '@hermes/sandbox';
import { chooseToolsets } from '../choose-toolsets.ts';
import type { CliContext } from '../context.ts';
import { createJsonDisplay } from '../display/json-display.ts';
import { createLiveDisplay } from '../display/live-display.ts';
import { createPlainDisplay } from '../display/plain-display.ts';
import { printSummary } from '../display/summary.ts';
import type { DottedFlag } from '../dotted-flags.ts';
import { type EvaluateFlags, filterOf, readConfig } from '../evaluate-flags.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { findEnvironment } from '../find-environment.ts';
import { findModel } from '../find-model.ts';
import { knownEnvironments } from '../known-environments.ts';
import type { ChosenModel, ModelEntry } from '../models.ts';
import { openSandboxes } from '../open-sandboxes.ts';
import { chooseParser } from '../parsers.ts';
import { type RetrySelection, retryOf } from '../retry-flag.ts';
import { runDirectoryPath } from '../run-directory-path.ts';
import { loggerOf } from '../stderr-logger.ts';

/** `hermes evaluate`: configuration, then concrete parts, then the run, then the table. What may refuse comes first, the cheapest before the rest. */
export async function runEvaluate(
  name: string,
  flags: EvaluateFlags,
  dotted: readonly DottedFlag[],
  context: CliContext,
): Promise<ExitCode> {
  const retry = retryOf(flags);
  const model = findModel(flags.model, context.models);
  const known = await knownEnvironments(context);
  const definition = await findEnvironment(name, known, context.workingDirectory);
  context.signal.throwIfAborted();
  const config = await readConfig(definition, flags, dotted, context);
  for (const notice of config.notices) note(context, notice);
  const effects = createEffects({ logger: loggerOf(context) }, flags.seed ?? 0);
  const parser = await chooseParser(config.env.toolCallParser, flags.parser !== undefined, context);
  const chosen = await chooseModel(model, config, context, effects);
  if (config.env.maxCostUsd !== null && chosen.prices?.price(chosen.modelId) === null)
    note(context, '--max-cost counts only what the endpoint tells itself: openai.price is not set');
  const parts = { definition, config, chosen, effects };
  try {
    return await withEnvironment(parts, model.entry, flags, context, (options) =>
      runInDirectory({ ...options, ...parser }, { ...parts, retry }, flags, context),
    );
  } finally {
    await chosen.close?.();
  }
}

/** What a run is put together from. */
type Parts = Readonly<{
  definition: EnvironmentDefinition;
  config: RunConfig;
  chosen: ChosenModel;
  effects: Effects;
}>;

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
  parts: Parts,
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
      provider = await openSandboxes(config.env, model, context, effects);
    return await work(optionsOf(parts, flags, environment, provider));
  } finally {
    await environment.close?.();
    await provider?.close();
  }
}

function optionsOf(
  { definition, config, chosen, effects }: Parts,
  flags: EvaluateFlags,
  environment: Environment<unknown>,
  sandboxes: SandboxProvider | null,
): EvaluateOptions<unknown> {
  const { provider, modelId, open, prices, modelCalls } = chosen;
  return {
    ...config.options,
    ...chooseToolsets(environment, config.env),
    definition: {
      id: definition.id,
      version: definition.version,
      configDigest: configDigest(definition, config.environment),
    },
    environment,
    model: { provider, modelId, open },
    ...(prices === undefined ? {} : { prices }),
    sandboxes,
    sinks: [],
    attempts: flags.attempts ?? 1,
    seed: flags.seed ?? 0,
    filter: filterOf(flags),
    scheduler: {
      ...config.options.scheduler,
      ...(modelCalls === undefined ? {} : { modelCalls }),
      ...(flags.concurrency === undefined ? {} : concurrencyOf(flags.concurrency)),
    },
    effects,
  };
}

function concurrencyOf(rollouts: number): {
  rollouts: number;
  sandboxCreates: number;
  verifiers: number;
} {
  return { rollouts, sandboxCreates: rollouts, verifiers: rollouts };
}

async function runInDirectory(
  options: EvaluateOptions<unknown>,
  { config, chosen, effects, retry }: Parts & { readonly retry: RetrySelection | null },
  flags: EvaluateFlags,
  context: CliContext,
): Promise<ExitCode> {
  context.signal.throwIfAborted(); // nothing has started: no run is left behind
  const path = runDirectoryPath(flags, options, context, effects);
  const directory = await openRunDirectory(path, {
    resume: flags.resume === true,
    plan: planOf(options),
    run: { config: config.dump, sandbox: options.sandboxes?.id ?? null },
    ...(retry === null ? {} : { retry }),
  });
  const display = createDisplay(flags, context, effects);
  const signal = anyOf(context.signal, chosen.refused);
  try {
    const summary = await evaluate({ ...options, directory, sinks: [display], signal });
    await display.close?.();
    if (chosen.refused?.aborted) {
      await directory.discard();
      throw chosen.refused.reason;
    }
    if (flags.json !== true) await printSummary(path, summary, context.stdout);
    return exitCodeOf(summary, context);
  } finally {
    await display.close?.();
    await directory.close();
  }
}

function anyOf(signal: AbortSignal, other: AbortSignal | undefined): AbortSignal {
  return other === undefined ? signal : AbortSignal.any([signal, other]);
}

function createDisplay(flags: EvaluateFlags, context: CliContext, effects: Effects): RolloutSink {
  if (flags.json === true) return createJsonDisplay(context.stdout);
  return context.stdout.isTerminal
    ? createLiveDisplay(context.stdout, effects.clock)
    : createPlainDisplay(context.stdout);
}

function exitCodeOf(summary: RunSummary, context: CliContext): ExitCode {
  if (context.signal.aborted) return exitCodes.interrupted;
  const nothingScored = summary.total > 0 && summary.passed + summary.failed === 0;
  if (!nothingScored) return exitCodes.ran;
  const causes = Object.entries(summary.erroredBy).map(([cause, count]) => `${cause} (${count})`);
  context.stderr.write(`hermes: no trial could be scored: ${causes.join(', ')}\n`);
  return exitCodes.runFailed;
}
