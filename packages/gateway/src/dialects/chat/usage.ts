import type { Usage } from '@hermes/protocol';

/** Counts in OpenAI's names; null where the engine did not say. */
export function chatUsage(usages: readonly Usage[]): object {
  const prompt = usages[0]?.inputTokens ?? null;
  const completion = sum(usages.map(({ outputTokens }) => outputTokens));
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: sum([prompt, completion]),
    prompt_tokens_details: { cached_tokens: usages[0]?.cachedTokens ?? null },
  };
}

/** A sum with an unknown is unknown. */
function sum(counts: readonly (number | null)[]): number | null {
  return counts.reduce<number | null>(
    (total, count) => (total === null || count === null ? null : total + count),
    0,
  );
}
