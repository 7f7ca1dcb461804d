/** Rejects with the signal's reason once it fires: for a race with what may never end by itself. */
export function rejectionBy(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = () => reject(signal.reason);
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
}
