/** What tinker-atropos makes of one sequence: inputs, the tokens they should lead to, and how much each is worth. */
export type TinkerDatum = Readonly<{
  inputs: readonly number[];
  targets: readonly number[];
  logprobs: readonly number[];
  advantages: readonly number[];
}>;

type Group = Readonly<{
  tokens: readonly (readonly number[])[];
  scores: readonly number[];
  inference_logprobs: readonly (readonly number[])[] | null;
  distill_token_ids: readonly (readonly (readonly number[])[])[] | null;
}>;

/**
 * The data of a batch, by tinker-atropos' rules: a sequence is worth its score less the mean of its group; a group without differences
 * teaches nothing; context is found by the log-prob 1.0 alone. Throws, as the original does, where log-probs are missing.
 */
export function trainOn(batch: readonly unknown[]): readonly TinkerDatum[] {
  return (batch as readonly Group[]).flatMap((group, index) => {
    const logprobs = group.inference_logprobs;
    if (logprobs === null) throw new Error(`group ${index} has no inference_logprobs`);
    if (group.distill_token_ids?.flat().some((ids) => ids.length !== 1))
      throw new Error(`group ${index}: distillation takes one token a position`);
    const mean = group.scores.reduce((sum, score) => sum + score, 0) / group.scores.length;
    if (group.scores.every((score) => score === mean)) return [];
    return group.tokens.map((tokens, row) =>
      datum(tokens, logprobs[row] ?? [], (group.scores[row] ?? 0) - mean),
    );
  });
}

function datum(
  tokens: readonly number[],
  logprobs: readonly number[],
  advantage: number,
): TinkerDatum {
  const shifted = logprobs.slice(1);
  return {
    inputs: tokens.slice(0, -1),
    targets: tokens.slice(1),
    logprobs: shifted,
    advantages: shifted.map((logprob) => (logprob === 1 ? 0 : advantage)),
  };
}
