import { setMaxListeners } from 'node:events';

/** A controller whose signal outlives many calls, each of which may listen to it. */
export function createLastingController(): AbortController {
  const controller = new AbortController();
  // many listeners at once are no leak here: each goes with its call
  setMaxListeners(0, controller.signal);
  return controller;
}

/**
 * A signal of one call that also fires when a lasting one does. `unlink` at the end of the call:
 * `AbortSignal.any` alone would leave a trace of every call at the lasting signal.
 */
export function linkToLasting(
  lasting: AbortSignal,
  own: AbortSignal,
): Readonly<{ signal: AbortSignal; unlink: () => void }> {
  const relayed = new AbortController();
  const relay = (): void => relayed.abort(lasting.reason);
  if (lasting.aborted) relay();
  lasting.addEventListener('abort', relay);
  return {
    signal: AbortSignal.any([own, relayed.signal]),
    unlink: () => lasting.removeEventListener('abort', relay),
  };
}
