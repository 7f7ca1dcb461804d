import { resolve } from 'node:path';
import { openTrainingFile, type TrainingFile } from '@hermes/env-core';
import type { CliContext } from '../context.ts';
import type { OpenedRun } from '../open-run.ts';
import type { ServeFlags } from './serve-flags.ts';

/** The file that `serve` writes its groups to before they are sent; null = none was asked for. */
export async function openGroupFile(
  { config }: OpenedRun,
  { format, lines = 'groups', resume }: ServeFlags,
  { workingDirectory }: CliContext,
): Promise<TrainingFile | null> {
  const { outputPath } = config.training;
  if (outputPath === null) return null;
  return openTrainingFile(resolve(workingDirectory, outputPath), {
    lines,
    ...(format === undefined ? {} : { format }),
    resume: resume === true,
    page: false, // it would be read and written as a whole after days
  });
}
