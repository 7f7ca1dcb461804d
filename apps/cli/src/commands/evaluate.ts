import type { EvaluateOptions, RolloutSink, RunConfig, RunSummary } from '@hermes/env-core';
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
import { openSandboxes } from '../open-sandboxes.ts';
import { runDirectoryPath } from '../run-directory-path.ts';
import { loggerOf } from '../stderr-logger.ts';

/** `hermes evaluate`: configuration, then concrete parts, then the run, then the table. */
export async function runEvaluate(
  name: string,
  flags: EvaluateFlags,
  dotted: readonly DottedFlag[],
  context: CliContext,
): Promise<ExitCode> {
  const model = findModel(flags.model, context.models);
  const definition = await findEnvironment(
    name,
    await knownEnvironments(context),
    context.workingDirectory,
  );
  context.signal.throwIfAborted();
  const config = await readConfig(definition, flags, dotted, context);
  for (const notice of config.notices) context.stderr.write(`note: ${notice}\n`);
  const effects = createEffects({ logger: loggerOf(context) }, flags.seed ?? 0);
  const environment = await definition.open(config.environment, {
    effects,
    signal: context.signal,
    judge: null,
    variables: context.environmentVariables,
  });
  const provider =
    environment.sandbox === undefined
      ? null
      : await openSandboxes(config.env, model.entry, context, effects);
  try {
    const chosen = await model.entry.choose(model.rest);
    const options: EvaluateOptions<unknown> = {
      ...config.options,
      ...chooseToolsets(environment, config.env),
      definition: {
        id: definition.id,
        version: definition.version,
        configDigest: configDigest(definition, config.environment),
      },
      environment,
      model: chosen,
      sandboxes: provider,
      sinks: [],
      attempts: flags.attempts ?? 1,
      seed: flags.seed ?? 0,
      filter: filterOf(flags),
      scheduler: {
        ...config.options.scheduler,
        ...(flags.concurrency === undefined ? {} : concurrencyOf(flags.concurrency)),
      },
      effects,
      signal: context.signal,
    };
    return await runInDirectory(options, flags, config, provider, context, effects);
  } finally {
    await environment.close?.();
    await provider?.close();
  }
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
  flags: EvaluateFlags,
  config: RunConfig,
  provider: SandboxProvider | null,
  context: CliContext,
  effects: Effects,
): Promise<ExitCode> {
  context.signal.throwIfAborted(); // nothing has started: no run is left behind
  const path = runDirectoryPath(flags, options, context, effects);
  const directory = await openRunDirectory(path, {
    resume: flags.resume === true,
    plan: planOf(options),
    run: { config: config.dump, sandbox: provider?.id ?? null },
  });
  const display = createDisplay(flags, context, effects);
  try {
    const summary = await evaluate({ ...options, directory, sinks: [display] });
    await display.close?.();
    if (flags.json !== true) await printSummary(path, summary, context.stdout);
    return exitCodeOf(summary, context);
  } finally {
    await display.close?.();
    await directory.close();
  }
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
