import type { ToolCallContext } from '@hermes/protocol';

/** Work that ends with the call's signal, or after some time on the injected clock; null: the time was over. */
export async function withDeadline<T>(
  { effects, signal }: Pick<ToolCallContext, 'effects' | 'signal'>,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | null> {
  const timer = new AbortController();
  const late = new AbortController();
  const slept = effects.clock.sleep(timeoutMs, timer.signal);
  slept.then(() => late.abort()).catch(() => undefined); // done in time
  try {
    return await work(AbortSignal.any([signal, late.signal]));
  } catch (error) {
    if (late.signal.aborted) return null;
    throw error;
  } finally {
    timer.abort();
  }
}
