import { HermesError, ModelError } from '@hermes/protocol';

/** The caller's signal fired; what the pool itself aborted with passes through. */
export function cancelled(signal: AbortSignal): Error {
  if (HermesError.isInstance(signal.reason)) return signal.reason;
  return new ModelError('CANCELLED', 'A call to the model pool was cancelled while it waited', {
    cause: signal.reason,
  });
}

export function poolClosed(): ModelError {
  return new ModelError('CANCELLED', 'The model pool was closed; no further call is possible');
}

export function badOption(message: string): ModelError {
  return new ModelError('CONFIG', message);
}

/** No endpoint was healthy for the whole of the wait. */
export function noneHealthy(ids: readonly string[], waitedMs: number): ModelError {
  return new ModelError(
    'CONNECTION',
    `No endpoint of the model pool was healthy for ${waitedMs} ms (${ids.join(', ')}); see that they run`,
    { retryable: true },
  );
}
