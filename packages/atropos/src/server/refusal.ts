/** compat: answers as the original, faults included. strict: the faults are mended; README lists them. */
export type TrajectoryMode = 'compat' | 'strict';

/** Why a request is not served. `internal`: the original breaks there, and `compat` answers as it does. */
export type Refusal = Readonly<{
  refused: 'internal' | 'no_trainer' | 'unknown_environment' | 'too_large' | 'queue_full';
  detail: string;
}>;

export function refusal(refused: Refusal['refused'], detail: string): Refusal {
  return { refused, detail };
}

export const internal: Refusal = refusal('internal', 'Internal Server Error');

export function isRefusal(value: object | null): value is Refusal {
  return value !== null && 'refused' in value;
}
