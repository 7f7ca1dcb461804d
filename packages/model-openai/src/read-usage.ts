import type { Usage } from '@hermes/protocol';
import { field } from './_json.ts';

/** The server did not say anything. */
export const UNKNOWN_USAGE: Usage = {
  inputTokens: null,
  outputTokens: null,
  totalTokens: null,
  cachedTokens: null,
  cacheWriteTokens: null,
  reasoningTokens: null,
};

/** The usage of an answer. What a server leaves out is null, never 0. */
export function readUsage(usage: unknown): Usage {
  const input = field(usage, 'prompt_tokens_details');
  const output = field(usage, 'completion_tokens_details');
  return {
    inputTokens: count(field(usage, 'prompt_tokens')),
    outputTokens: count(field(usage, 'completion_tokens')),
    totalTokens: count(field(usage, 'total_tokens')),
    cachedTokens:
      count(field(input, 'cached_tokens')) ?? count(field(usage, 'prompt_cache_hit_tokens')),
    cacheWriteTokens:
      count(field(input, 'cache_write_tokens')) ??
      count(field(usage, 'cache_creation_input_tokens')),
    reasoningTokens:
      count(field(output, 'reasoning_tokens')) ?? count(field(usage, 'reasoning_tokens')),
  };
}

/** What the provider says the answer cost, in USD; null where it does not. */
export function readCost(usage: unknown): number | null {
  const cost = field(usage, 'cost');
  return typeof cost === 'number' && Number.isFinite(cost) && cost >= 0 ? cost : null;
}

function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
