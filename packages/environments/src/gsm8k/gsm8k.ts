import type { EnvironmentDefinition } from '@hermes/env-core';
import * as z from 'zod';
import { type DatasetKeys, datasetKeys, datasetPlaces } from '../data/dataset-keys.ts';
import { readProblems } from '../data/read-problems.ts';
import { createGsm8kEnvironment } from './gsm8k-environment.ts';
import { readGsm8kRow, type WordProblem } from './read-gsm8k-row.ts';

/** Configuration of `gsm8k`. Without a data set it is `openai/gsm8k` on the Hugging Face hub. */
export type Gsm8kConfig = DatasetKeys &
  Readonly<{
    /** Whether the model gets a terminal and file tools in a sandbox. Default false: it only answers. */
    tools: boolean;
  }>;

/** School word problems with one number as the answer. */
export const gsm8k: EnvironmentDefinition<Gsm8kConfig, WordProblem> = {
  id: 'gsm8k',
  version: '1.0.0',
  description: 'School word problems, answered by a number',
  config: z.strictObject({
    ...datasetKeys,
    tools: z
      .boolean()
      .default(false)
      .describe('the model gets a terminal and file tools in a sandbox'),
  }),
  places: datasetPlaces,
  open: async ({ tools, ...keys }, context) => {
    const places = {
      keys,
      hub: { id: 'openai/gsm8k', config: 'main', splits: { eval: 'test', train: 'train' } },
      builtin: 'gsm8k.jsonl',
      columns: ['question', 'answer'],
    };
    return createGsm8kEnvironment(await readProblems(places, readGsm8kRow, context), { tools });
  },
};
