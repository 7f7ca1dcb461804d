import type {
  Environment,
  EnvironmentDefinition,
  EvaluateOptions,
  RunConfig,
} from '@hermes/env-core';
import { configDigest } from '@hermes/env-core';
import type { Effects } from '@hermes/protocol';
import type { SandboxProvider } from '@hermes/sandbox';
import { chooseToolsets } from './choose-toolsets.ts';
import { type EvaluateFlags, filterOf } from './evaluate-flags.ts';
import type { ChosenModel } from './models.ts';
import type { SpecDefaults } from './sandboxes/docker-spec.ts';
import type { GivenKeys } from './sandboxes/provider-keys.ts';

/** What a run is put together from. */
export type RunParts = Readonly<{
  definition: EnvironmentDefinition;
  config: RunConfig;
  chosen: ChosenModel;
  effects: Effects;
  given: GivenKeys;
  /** Of every sandbox. */
  sandboxSpec: SpecDefaults;
}>;

/** The options of `evaluate`, without what the run directory adds. */
export function evaluateOptions(
  { definition, config, chosen, effects, sandboxSpec }: RunParts,
  flags: EvaluateFlags,
  environment: Environment<unknown>,
  sandboxes: SandboxProvider | null,
): EvaluateOptions<unknown> {
  const { provider, modelId, open, prices, modelCalls } = chosen;
  return {
    ...config.options,
    ...chooseToolsets(environment, config.env, effects),
    definition: {
      id: definition.id,
      version: definition.version,
      configDigest: configDigest(definition, config.environment),
    },
    environment,
    model: { provider, modelId, open },
    ...(prices === undefined ? {} : { prices }),
    sandboxes,
    sandboxDefaults: { ...config.options.sandboxDefaults, ...sandboxSpec },
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
