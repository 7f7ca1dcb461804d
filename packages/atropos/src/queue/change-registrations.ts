import type { JsonObject } from '@hermes/protocol';
import type { EnvironmentBody, TrainerBody } from '../wire/registrations.ts';
import { type EnvironmentEntry, indexOf, type QueueState } from './queue-state.ts';

/** A second trainer changes nothing while the first one's queue is there. */
export function registerTrainer(state: QueueState, body: TrainerBody): JsonObject {
  if (state.queue !== null) return {};
  Object.assign(state, {
    queue: [],
    buffers: new Map(),
    ready: [],
    environments: [],
    hasStarted: false,
    step: body.starting_step,
    group: body.wandb_group,
    project: body.wandb_project,
    batchSize: body.batch_size,
    maxTokens: body.max_token_len,
    checkpointDir: body.checkpoint_dir,
    checkpointEvery: body.save_checkpoint_interval,
    totalSteps: body.num_steps,
  } satisfies Partial<QueueState>);
  return {};
}

/** The answer has its id and name. */
export function registerEnvironment(state: QueueState, body: EnvironmentBody): JsonObject {
  state.environments ??= [];
  const sameName = state.environments.filter((entry) => entry.desiredName === body.desired_name);
  const id = state.environments.length;
  const entry: EnvironmentEntry = {
    desiredName: body.desired_name,
    realName: `${body.desired_name}_${sameName.length}`,
    maxTokens: body.max_token_length,
    weight: body.weight,
    groupSize: body.group_size,
    minBatchShare: body.min_batch_allocation,
    isConnected: true,
  };
  state.environments.push(entry);
  return {
    status: 'success',
    env_id: id,
    wandb_name: entry.realName,
    checkpoint_dir: state.checkpointDir,
    starting_step: state.step,
    checkpoint_interval: state.checkpointEvery,
    num_steps: state.totalSteps,
  };
}

/** An environment that is unknown by now stays so. */
export function changeEnvironment(
  state: QueueState,
  environmentId: number,
  change: Partial<EnvironmentEntry>,
): JsonObject {
  const index = indexOf(state, environmentId);
  const entry = state.environments?.[index];
  if (entry !== undefined && state.environments !== null)
    state.environments[index] = { ...entry, ...change };
  return { status: 'success' };
}

/** What survives (the last group, the token limit, the checkpoint folder) survives in the original too. */
export function reset(state: QueueState): JsonObject {
  if (state.queue === null) return {};
  Object.assign(state, {
    queue: null,
    buffers: new Map(),
    ready: [],
    environments: [],
    hasStarted: false,
    step: 0,
    waitingBytes: 0,
    answers: new Map(), // what went with the queue has to be taken again
    group: null,
    project: null,
    batchSize: -1,
    totalSteps: -1,
  } satisfies Partial<QueueState>);
  return {};
}
