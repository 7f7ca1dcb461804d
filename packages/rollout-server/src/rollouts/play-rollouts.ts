import {
  createEffects,
  makeTrial,
  type RunOptions,
  runRollout,
  type Trial,
} from '@hermes/env-core';
import type { RolloutRecord } from '@hermes/protocol';
import { unlessAborted } from '../_unless-aborted.ts';
import type { ServerContext } from '../context.ts';
import { findEnvironment } from '../environments/find-environment.ts';
import { findItem } from '../environments/find-item.ts';
import { isTimeOver } from '../http/within-limits.ts';
import type { RolloutRequest } from './rollout-request.ts';
import { runOf } from './run-of.ts';
import { tellSinks } from './tell-sinks.ts';

/** Plays what a request asks for. Throws a Refusal for a request that cannot be served; a rollout that fails is an errored record. */
export async function playRollouts(
  context: ServerContext,
  request: RolloutRequest,
  signal: AbortSignal,
): Promise<readonly RolloutRecord[]> {
  const { choice, count, split, seed, sampling } = request;
  const served = findEnvironment(context.environments, request.environment);
  const { random } = createEffects({}, seed);
  const { item, index } = await findItem(served.environment, choice, { split, random }, signal);
  const model = await unlessAborted(context.openModel(request.model), signal);
  const run = runOf(context, { served, model, sampling, seed, signal });
  const groupId = count === 1 ? null : context.effects.newId('group');
  const trials = Array.from({ length: count }, (_, attempt) =>
    makeTrial(run, item, { index, attempt, groupId, split }),
  );
  return Promise.all(trials.map((trial) => playTrial(context, run, trial, signal)));
}

async function playTrial(
  context: ServerContext,
  run: RunOptions<unknown>,
  trial: Trial<unknown>,
  signal: AbortSignal,
): Promise<RolloutRecord> {
  const play = () => runRollout(run, trial);
  const record = await context.limiter.run(play, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    // it never got a place: played with a fired signal it ends at once, with a record that says so
    return play();
  });
  const told = isTimeOver(signal) ? asTimeout(record) : record;
  await tellSinks(context, told);
  return told;
}

/** The runner knows only that it was cancelled. */
function asTimeout(record: RolloutRecord): RolloutRecord {
  if (record.status === 'completed' || record.errored.reason !== 'cancelled') return record;
  const error = { ...record.errored.error, message: 'The time of the request was over' };
  return { ...record, errored: { reason: 'timeout', cause: 'rollout_deadline', error } };
}
