import type { Usage } from '@hermes/protocol';

/** Nothing was used: where a sum starts. */
export const zeroUsage: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  totalTokens: 0,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
};

/** Something was used, and nobody told how much. */
export const unknownUsage: Usage = {
  inputTokens: null,
  outputTokens: null,
  totalTokens: null,
  cachedTokens: null,
  cacheWriteTokens: null,
  reasoningTokens: null,
};

/** Adds field by field; a sum with an unknown is unknown. */
export function addUsage(left: Usage, right: Usage): Usage {
  return {
    inputTokens: addKnown(left.inputTokens, right.inputTokens),
    outputTokens: addKnown(left.outputTokens, right.outputTokens),
    totalTokens: addKnown(left.totalTokens, right.totalTokens),
    cachedTokens: addKnown(left.cachedTokens, right.cachedTokens),
    cacheWriteTokens: addKnown(left.cacheWriteTokens, right.cacheWriteTokens),
    reasoningTokens: addKnown(left.reasoningTokens, right.reasoningTokens),
  };
}

/** The sum, or null when one of the two is not known, or no number. */
export function addKnown(left: number | null, right: number | null): number | null {
  if (left === null || right === null) return null;
  const sum = left + right;
  return Number.isFinite(sum) ? sum : null;
}

/** All tokens of a call; null when the server told neither the total nor both parts. */
export function totalTokens(usage: Usage): number | null {
  return usage.totalTokens ?? addKnown(usage.inputTokens, usage.outputTokens);
}
