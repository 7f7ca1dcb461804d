/** One listener on a signal for any number of waiters. */
type FanOut = { readonly waiters: Set<() => void>; readonly relay: () => void };

/**
 * Keyed by the signal and held weakly: a thousand rollouts that share the signal of a run put one
 * listener on it, where one each would bring Node's warning of a leak.
 */
const fanOuts = new WeakMap<AbortSignal, FanOut>();

/**
 * Calls `waiter` once when the signal fires; never for a signal that has fired before. The returned
 * function forgets the waiter. Any number of waiters is one listener on the signal. None may throw.
 */
export function onAbort(signal: AbortSignal, waiter: () => void): () => void {
  const fanOut = fanOuts.get(signal) ?? open(signal);
  const entry = () => waiter();
  fanOut.waiters.add(entry);
  return () => {
    fanOut.waiters.delete(entry);
    if (fanOut.waiters.size > 0) return;
    signal.removeEventListener('abort', fanOut.relay);
    if (fanOuts.get(signal) === fanOut) fanOuts.delete(signal);
  };
}

function open(signal: AbortSignal): FanOut {
  const waiters = new Set<() => void>();
  const relay = () => {
    for (const waiter of [...waiters]) waiter();
  };
  const fanOut = { waiters, relay };
  fanOuts.set(signal, fanOut);
  signal.addEventListener('abort', relay, { once: true });
  return fanOut;
}
