import { HermesError, ModelError } from '@hermes/protocol';

/** Throws `CANCELLED`: the reason of the signal where it is a model's error, else with the reason as its cause. */
export function throwIfAborted(signal: AbortSignal): void {
  if (!signal.aborted) return;
  const { reason }: { readonly reason: unknown } = signal;
  if (HermesError.isInstance(reason) && reason.boundary === 'model') throw reason;
  throw new ModelError('CANCELLED', 'The generation was cancelled.', { cause: reason });
}
