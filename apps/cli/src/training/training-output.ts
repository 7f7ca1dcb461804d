import { stat, unlink } from 'node:fs/promises';
import type { TrainingFile, TrainingFileOptions } from '@hermes/env-core';
import type { ProcessFlags } from './process-flags.ts';

/** How the flags want the file to be written. */
export function trainingFileOptions(flags: ProcessFlags): TrainingFileOptions {
  const { format, lines, split } = flags;
  return {
    ...(format === undefined ? {} : { format }),
    ...(lines === undefined ? {} : { lines }),
    ...(split === undefined ? {} : { split }),
    resume: flags.resume === true,
    dedupe: flags.dedupe === true,
    page: flags.page,
  };
}

/** Takes away what a run left behind that has written nothing at all. */
export async function removeEmpty(file: TrainingFile): Promise<void> {
  const { found, written } = file.counts();
  if (found + written > 0) return;
  const paths = [...file.paths, ...(file.page === null ? [] : [file.page])];
  for (const path of paths) if (await isPlain(path)) await unlink(path);
}

/** A pipe or a device is not ours to remove. */
async function isPlain(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false, // it is not there
  );
}
