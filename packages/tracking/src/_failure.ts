import { HermesError, type HermesErrorOptions } from '@hermes/protocol';

/** What a target could not do. Without `retryable` it is over for this run. */
export function failure(message: string, options: HermesErrorOptions = {}): HermesError {
  return new HermesError('data', 'TRACKING', message, options);
}
