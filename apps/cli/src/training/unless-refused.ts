import type { RunDirectory } from '@hermes/env-core';
import type { ChosenModel } from '../models.ts';

/** Does the work until it ends, the caller ends it, or the model's endpoint refuses every call: then the run is taken away and its refusal thrown. */
export async function unlessRefused<T>(
  { refused }: Pick<ChosenModel, 'refused'>,
  directory: RunDirectory,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (refused === undefined) return work(signal);
  const result = await work(AbortSignal.any([signal, refused]));
  if (!refused.aborted) return result;
  await directory.discard();
  throw refused.reason;
}
