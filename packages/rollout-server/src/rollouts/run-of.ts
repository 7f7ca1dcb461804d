import type { RunOptions } from '@hermes/env-core';
import type { Sampling } from '@hermes/protocol';
import type { ServerContext } from '../context.ts';
import type { OpenedEnvironment } from '../environments/open-environments.ts';

/** What tells one request's rollouts from another's. */
export type RunParts = Readonly<{
  served: OpenedEnvironment;
  model: RunOptions<unknown>['model'];
  sampling: Sampling;
  seed: number;
  signal: AbortSignal;
}>;

/** The options of a run that plays the rollouts of one request. */
export function runOf(
  { run, effects }: Pick<ServerContext, 'run' | 'effects'>,
  { served, model, sampling, seed, signal }: RunParts,
): RunOptions<unknown> {
  const { definition, environment, configDigest } = served;
  return {
    ...run,
    definition: { id: definition.id, version: definition.version, configDigest },
    environment,
    model,
    sampling: { ...run.sampling, ...sampling },
    seed,
    effects,
    signal,
  };
}
