import { retrySelection } from '@hermes/env-core';
import { HermesError } from '@hermes/protocol';
import type { EvaluateFlags } from './evaluate-flags.ts';

/** Which finished trials a resume runs again. */
export type RetrySelection = ReturnType<typeof retrySelection>;

/** What `--retry` asks for; null where it is not given. */
export function retryOf({
  retry,
  resume,
}: Pick<EvaluateFlags, 'retry' | 'resume'>): RetrySelection | null {
  if (retry === undefined) return null;
  if (resume === true && retry.length > 0) return retrySelection(retry);
  const message =
    resume === true
      ? '--retry needs a list, for example --retry errored'
      : '--retry runs trials of a run again: give --resume and --run-dir with it';
  throw new HermesError('config', 'CONFIG', message);
}
