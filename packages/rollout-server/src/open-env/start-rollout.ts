import { createEffects, makeTrial, runRollout } from '@hermes/env-core';
import type { RolloutRecord } from '@hermes/protocol';
import type { ServerContext } from '../context.ts';
import { findEnvironment } from '../environments/find-environment.ts';
import { type FoundItem, findItem } from '../environments/find-item.ts';
import type { OpenedEnvironment } from '../environments/open-environments.ts';
import { runOf } from '../rollouts/run-of.ts';
import { tellSinks } from '../rollouts/tell-sinks.ts';
import type { Exchange } from './exchange.ts';
import type { ResetRequest } from './reset-request.ts';
import { trainerModel } from './trainer-model.ts';

/** A rollout under way. */
export type StartedRollout = Readonly<{
  environmentId: string;
  itemId: string;
  /** Never rejects. */
  record: Promise<RolloutRecord>;
}>;

/** Starts the rollout of an episode. Throws a Refusal for a request that cannot be served. */
export async function startRollout(
  context: ServerContext,
  request: ResetRequest,
  exchange: Exchange,
  signal: AbortSignal,
): Promise<StartedRollout> {
  const served = findEnvironment(context.environments, request.environment);
  const { item, index } = await itemOf(context, served, request, signal);
  const model = { provider: 'openenv', modelId: 'trainer', open: () => trainerModel(exchange) };
  const run = runOf(context, { served, model, sampling: {}, seed: request.seed ?? 0, signal });
  const trial = makeTrial(run, item, { index, attempt: 0, groupId: null, split: request.split });
  // a second try would begin the conversation anew behind the trainer's back
  const record = runRollout({ ...run, retry: { ...run.retry, maxTries: 1 } }, trial);
  const told = record.then(async (done) => {
    await tellSinks(context, done);
    return done;
  });
  return { environmentId: served.definition.id, itemId: item.id, record: told };
}

/** The item that is named, else the seed's, else the next one. */
function itemOf(
  { turns }: ServerContext,
  { definition, environment }: OpenedEnvironment,
  { choice, seed, split }: ResetRequest,
  signal: AbortSignal,
): Promise<FoundItem> {
  const query = { split, random: createEffects({}, seed ?? 0).random };
  if (choice !== null) return findItem(environment, choice, query, signal);
  const index = seed ?? turns.take(definition.id, split);
  return findItem(environment, { by: 'turn', index }, query, signal);
}
