/** The caller's signal with a limit beside it: no question to the daemon waits for ever. */
export function limited(limitMs: number, signal?: AbortSignal): AbortSignal {
  const late = AbortSignal.timeout(limitMs);
  return signal === undefined ? late : AbortSignal.any([signal, late]);
}

/** Longest wait for the making or the start of a container: a busy daemon takes many seconds. */
export const MAKING_MS = 120_000;

/** Longest wait for a snapshot: the daemon copies all that the container has written. */
export const SNAPSHOT_MS = 600_000;

/** Longest wait for an answer that costs the daemon little. */
export const ANSWER_MS = 30_000;
