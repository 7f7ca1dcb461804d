import type { EnvironmentDefinition } from '@hermes/env-core';
import * as z from 'zod';
import { type DatasetKeys, datasetKeys, datasetPlaces } from '../data/dataset-keys.ts';
import { readProblems } from '../data/read-problems.ts';
import { createHumanevalEnvironment } from './humaneval-environment.ts';
import { type CodeProblem, humanevalColumns, readHumanevalRow } from './read-humaneval-row.ts';

/** Configuration of `humaneval`. Without a data set it is `openai/openai_humaneval` on the Hugging Face hub. */
export type HumanevalConfig = DatasetKeys &
  Readonly<{
    /** Processor time that a solution may use, in seconds. Default 3. It may take ten times as long on the clock. */
    timeout: number;
    /** Address space of a solution, in MiB. Default 1024. */
    memoryMib: number;
  }>;

/** On a busy machine a solution waits for its processor time. */
const WALL_FACTOR = 10;

/** Python functions to complete, checked by their tests. */
export const humaneval: EnvironmentDefinition<HumanevalConfig, CodeProblem> = {
  id: 'humaneval',
  version: '1.0.0',
  description: 'Python functions to complete, run in a sandbox',
  config: z.strictObject({
    ...datasetKeys,
    timeout: z
      .int()
      .min(1)
      .default(3)
      .describe('seconds of processor time of a solution; ten times as many on the clock'),
    memoryMib: z.int().min(64).default(1024).describe('MiB of memory of a solution'),
  }),
  places: datasetPlaces,
  open: async ({ timeout, memoryMib, ...keys }, context) => {
    const places = {
      keys,
      hub: { id: 'openai/openai_humaneval', splits: { eval: 'test', train: 'test' } },
      builtin: 'humaneval.jsonl',
      columns: humanevalColumns,
    };
    const limits = { cpuSeconds: timeout, wallMs: timeout * WALL_FACTOR * 1000, memoryMib };
    const problems = await readProblems(places, readHumanevalRow, context);
    return createHumanevalEnvironment(problems, limits, context.effects.newId);
  },
};
