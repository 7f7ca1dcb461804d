import type { TrainerStatus } from '@hermes/protocol';
import { TrainerError } from '../trainer-error.ts';
import { type AskContext, ask } from './ask.ts';
import { notRegistered, type Registrations } from './registrations.ts';
import { ifRetryable } from './retry.ts';
import { statusSchema } from './wire-schemas.ts';

/**
 * What the trainer says about its queue. Throws NOT_REGISTERED when it does not know the environment (any more): run-api answers 500 to an
 * id that it does not know, and a step lower than one before means another run.
 */
export async function askStatus(
  context: AskContext,
  registrations: Registrations,
  environmentId: number,
  signal: AbortSignal,
): Promise<TrainerStatus> {
  const registration = registrations.get(environmentId);
  const body = Buffer.from(JSON.stringify({ env_id: environmentId }));
  const question = { method: 'GET', path: '/status-env', body, signal } as const;
  const mayRepeat = (error: TrainerError) => ifRetryable(error) && error.code !== 'REFUSED';
  const { value, answer } = await ask(context, {
    ...question,
    schema: statusSchema,
    mayRepeat,
  }).catch((error: unknown) => {
    if (error instanceof TrainerError && error.code === 'REFUSED') throw lost();
    throw error;
  });
  if (value.current_step < registration.step) throw lost();
  registration.step = value.current_step;
  registration.confirmedOn.add(answer.socket);
  return {
    step: value.current_step,
    queuedGroups: value.queue_size,
    ownQueuedGroups: value.self_queue_size,
    unallocatedShare: value.unallocated_fraction,
    maxGroupSize: value.max_group_size,
    weight: value.env_weight,
  };

  function lost(): TrainerError {
    registrations.forget(environmentId);
    return notRegistered(
      environmentId,
      'is no longer known to the trainer, which was restarted or reset',
    );
  }
}
