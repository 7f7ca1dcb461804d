import { HermesError } from '@hermes/protocol';

/** A task folder that cannot be used as it is; the message starts with the place. */
export function taskError(place: string, message: string, cause?: unknown): HermesError<'TASK'> {
  return new HermesError('data', 'TASK', `${place}: ${message}`, {
    details: { place },
    ...(cause === undefined ? {} : { cause }),
  });
}
