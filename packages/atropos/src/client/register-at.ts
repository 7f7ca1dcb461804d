import type { EnvironmentRegistration, RegisterResult } from '@hermes/protocol';
import { TrainerError } from '../trainer-error.ts';
import { type AskContext, ask } from './ask.ts';
import type { Registrations } from './registrations.ts';
import { ifNotDone } from './retry.ts';
import { registeredSchema } from './wire-schemas.ts';

/** The trainer divides by the sum of all weights; one environment with 0 or less would break it. */
const LEAST_WEIGHT = 0.01;

/** Introduces an environment. Repeated only when nothing can have arrived: each call that arrives makes one more environment. */
export async function registerAt(
  context: AskContext,
  registrations: Registrations,
  registration: EnvironmentRegistration,
  signal: AbortSignal,
): Promise<RegisterResult> {
  checkRegistration(registration);
  const body = Buffer.from(JSON.stringify(wireRegistration(registration)));
  const question = { method: 'POST', path: '/register-env', body, signal } as const;
  const { value, answer } = await ask(context, {
    ...question,
    schema: registeredSchema,
    mayRepeat: ifNotDone,
  });
  if (value.status === 'wait') return { status: 'wait' };
  registrations.add(value.env_id, {
    groupSize: registration.groupSize,
    knowsKeys: answer.headers['trajectory-repeats'] === 'by-key',
    confirmedOn: new WeakSet([answer.socket]),
    step: value.starting_step,
  });
  return {
    status: 'registered',
    environmentId: value.env_id,
    name: value.wandb_name,
    step: value.starting_step,
    totalSteps: value.num_steps < 0 ? null : value.num_steps,
    checkpointDir: value.checkpoint_dir,
    checkpointEvery: value.checkpoint_interval,
  };
}

function wireRegistration(registration: EnvironmentRegistration) {
  return {
    max_token_length: registration.maxTokens,
    desired_name: registration.name,
    weight: Math.max(LEAST_WEIGHT, registration.weight),
    group_size: registration.groupSize,
    min_batch_allocation: registration.minBatchShare,
  };
}

function checkRegistration({ name, groupSize, weight, minBatchShare }: EnvironmentRegistration) {
  if (name === '') throw wrong('the name is empty; the trainer names its metrics after it');
  if (!Number.isInteger(groupSize) || groupSize < 1)
    throw wrong(`groupSize ${groupSize} is no whole number above 0`);
  if (!Number.isFinite(weight)) throw wrong(`weight ${weight} is not a finite number`);
  if (minBatchShare !== null && !(minBatchShare >= 0 && minBatchShare <= 1))
    throw wrong(`minBatchShare ${minBatchShare} is not between 0 and 1`);
}

function wrong(what: string): TrainerError {
  return new TrainerError('CONFIG', `The environment cannot be registered: ${what}.`);
}
