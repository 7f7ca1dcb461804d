/** A stream's chunks until the signal fires; then it throws the signal's reason, also when no chunk ever comes. */
export async function* untilAborted<T>(
  stream: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T> {
  const chunks = stream[Symbol.asyncIterator]();
  const stop = whenAborted(signal);
  try {
    for (;;) {
      const next = await Promise.race([chunks.next(), stop.fired]);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    stop.forget();
    // Not awaited: a stream that gives nothing does not end either.
    Promise.resolve(chunks.return?.()).catch(() => undefined);
  }
}

function whenAborted(signal: AbortSignal): Readonly<{ fired: Promise<never>; forget: () => void }> {
  let forget = (): void => undefined;
  const fired = new Promise<never>((_resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    forget = () => signal.removeEventListener('abort', abort);
  });
  fired.catch(() => undefined);
  return { fired, forget };
}
