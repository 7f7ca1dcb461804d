/** Waits until a command that has no end of its own is ended. */
export async function interrupted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((end) => signal.addEventListener('abort', end, { once: true }));
}
