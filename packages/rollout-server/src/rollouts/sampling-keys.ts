import type { Sampling } from '@hermes/protocol';
import { z } from 'zod';

const wireKeys = z.strictObject({
  temperature: z.number().min(0).optional(),
  top_p: z.number().optional(),
  top_k: z.int().optional(),
  min_p: z.number().optional(),
  max_tokens: z.int().min(1).optional(),
  seed: z.int().optional(),
  stop: z.array(z.string()).optional(),
  frequency_penalty: z.number().optional(),
  presence_penalty: z.number().optional(),
  repetition_penalty: z.number().optional(),
});

const NAMES = {
  temperature: 'temperature',
  top_p: 'topP',
  top_k: 'topK',
  min_p: 'minP',
  max_tokens: 'maxTokens',
  seed: 'seed',
  stop: 'stop',
  frequency_penalty: 'frequencyPenalty',
  presence_penalty: 'presencePenalty',
  repetition_penalty: 'repetitionPenalty',
} as const satisfies Record<keyof z.infer<typeof wireKeys>, keyof Sampling>;

/** How a request says how to sample: in the names of OpenAI's API, read into ours. */
export const samplingBody: z.ZodType<Sampling, unknown> = wireKeys.transform((body) => {
  const named = Object.entries(NAMES).map(([key, name]) => [name, body[key as keyof typeof body]]);
  return Object.fromEntries(named.filter(([, value]) => value !== undefined));
});
