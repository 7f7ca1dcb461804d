import type { Sampling } from '@hermes/protocol';
import type { FullSampling } from './engine-dialect.ts';

/** Nothing but the model's own distribution. topK 0: all tokens. */
const NEUTRAL = {
  temperature: 1,
  topP: 1,
  topK: 0,
  minP: 0,
  frequencyPenalty: 0,
  presencePenalty: 0,
  repetitionPenalty: 1,
  stop: [],
} as const;

/** For engines whose window is not known; servers have defaults as low as 16. */
const MOST_TOKENS = 4096;

/** A sampling with every value said. */
export function fullSampling(sampling: Sampling): FullSampling {
  const given = Object.fromEntries(
    Object.entries(sampling).filter(([, value]) => value !== undefined),
  );
  return { ...NEUTRAL, maxTokens: MOST_TOKENS, ...given };
}
