import { createEffects, makeTrial, runRollout } from '@hermes/env-core';
import type { RolloutRecord } from '@hermes/protocol';
import type { ServerContext } from '../context.ts';
import { findEnvironment } from '../environments/find-environment.ts';
import { findItem } from '../environments/find-item.ts';
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

/**
 * Starts the rollout of an episode. turn: which item is next where neither item nor seed is named. Throws a Refusal for a request that
 * cannot be served.
 */
export async function startRollout(
  context: ServerContext,
  request: ResetRequest,
  exchange: Exchange,
  turn: number,
  signal: AbortSignal,
): Promise<StartedRollout> {
  const { split } = request;
  const seed = request.seed ?? 0;
  const served = findEnvironment(context.environments, request.environment);
  const choice = request.choice ?? { by: 'turn', index: request.seed ?? turn };
  const { random } = createEffects({}, seed);
  const { item, index } = await findItem(served.environment, choice, { split, random }, signal);
  const model = { provider: 'openenv', modelId: 'trainer', open: () => trainerModel(exchange) };
  const run = runOf(context, { served, model, sampling: {}, seed, signal });
  const trial = makeTrial(run, item, { index, attempt: 0, groupId: null, split });
  // a second try would begin the conversation anew behind the trainer's back
  const record = runRollout({ ...run, retry: { ...run.retry, maxTries: 1 } }, trial);
  const told = record.then(async (done) => {
    await tellSinks(context, done);
    return done;
  });
  return { environmentId: served.definition.id, itemId: item.id, record: told };
}
