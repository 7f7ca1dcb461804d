import type { ScoredGroup } from '@hermes/protocol';

/** A group as a token-exact model would give it: a prompt of one third, then sampled tokens; the scores differ. */
export function scoredGroup(
  groupId: string,
  size: number,
  options: Readonly<{ tokens?: number }> = {},
): ScoredGroup {
  const { tokens: length = 6 } = options;
  const promptLength = Math.ceil(length / 3);
  return {
    groupId,
    sequences: Array.from({ length: size }, (_one, index) => {
      const tokens = Array.from({ length }, (_token, position) => 1000 * (index + 1) + position);
      return {
        tokens,
        mask: tokens.map((token, position) => (position < promptLength ? -100 : token)),
        logprobs: tokens.map((_token, position) =>
          position < promptLength ? 1 : -0.125 * (position + 1),
        ),
        score: index,
        rolloutId: `${groupId}-${index}`,
      };
    }),
  };
}
