import type { EnvironmentDefinition } from '@hermes/env-core';
import * as z from 'zod';
import { readProblems } from '../data/read-problems.ts';
import { createGsm8kEnvironment } from './gsm8k-environment.ts';
import { readGsm8kRow, type WordProblem } from './read-gsm8k-row.ts';

/** Configuration of `gsm8k`. */
export type Gsm8kConfig = Readonly<{
  /** A file, an address `hf://OWNER/NAME`, or `builtin`. Absent: `openai/gsm8k` on the Hugging Face hub. */
  dataset?: string | undefined;
  /** Whether the model gets a terminal and file tools in a sandbox. Default false: it only answers. */
  tools: boolean;
}>;

/** School word problems with one number as the answer. */
export const gsm8k: EnvironmentDefinition<Gsm8kConfig, WordProblem> = {
  id: 'gsm8k',
  version: '1.0.0',
  description: 'School word problems, answered by a number',
  config: z.strictObject({
    dataset: z.string().min(1).optional(),
    tools: z.boolean().default(false),
  }),
  places: ['dataset'],
  open: async ({ dataset, tools }, context) => {
    const places = {
      dataset,
      hub: { id: 'openai/gsm8k', config: 'main', split: 'test' },
      builtin: 'gsm8k.jsonl',
      columns: ['question', 'answer'],
    };
    return createGsm8kEnvironment(await readProblems(places, readGsm8kRow, context), { tools });
  },
};
