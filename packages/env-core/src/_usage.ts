import type { Usage } from '@hermes/protocol';

/** A model was called, and nobody knows what it used. */
export const UNKNOWN_USAGE: Usage = {
  inputTokens: null,
  outputTokens: null,
  totalTokens: null,
  cachedTokens: null,
  cacheWriteTokens: null,
  reasoningTokens: null,
};

/** null as soon as one of the two is. */
export function addKnown(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}
