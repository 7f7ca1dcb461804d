import { HermesError, ModelError } from '@hermes/protocol';

/** Throws `CANCELLED`, whatever the signal's own reason is; that is kept as the cause. */
export function throwIfAborted(signal: AbortSignal): void {
  if (!signal.aborted) return;
  if (HermesError.isInstance(signal.reason)) throw signal.reason;
  throw new ModelError('CANCELLED', 'The generation was cancelled.', { cause: signal.reason });
}
