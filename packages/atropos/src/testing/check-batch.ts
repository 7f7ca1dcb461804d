type Sequences = readonly (readonly number[])[];
type CheckedGroup = Readonly<{
  tokens: Sequences;
  masks: Sequences;
  scores: readonly number[];
  inference_logprobs: Sequences | null;
}>;

/** Whether a trainer could train on a batch: sizes, masks and log-probs of every sequence. */
export function checkBatch(
  batch: readonly unknown[],
  batchSize: number,
): Readonly<{ sequences: number; problems: readonly string[] }> {
  const groups = batch as readonly CheckedGroup[];
  const sequences = groups.reduce((sum, { tokens }) => sum + tokens.length, 0);
  const problems = groups.flatMap((group, index) =>
    checkGroup(group).map((problem) => `group ${index}, ${problem}`),
  );
  if (sequences !== batchSize) problems.push(`${sequences} sequences in a batch of ${batchSize}`);
  return { sequences, problems };
}

function checkGroup(group: CheckedGroup): readonly string[] {
  if (group.inference_logprobs === null) return ['inference_logprobs are missing'];
  return group.tokens.flatMap((tokens, index) => {
    const problem = checkSequence(
      tokens,
      group.masks[index] ?? [],
      group.inference_logprobs?.[index] ?? [],
    );
    return problem === null ? [] : [`sequence ${index}: ${problem}`];
  });
}

function checkSequence(
  tokens: readonly number[],
  masks: readonly number[],
  logprobs: readonly number[],
): string | null {
  if (masks.length !== tokens.length || logprobs.length !== tokens.length)
    return `lengths ${tokens.length}, ${masks.length}, ${logprobs.length}`;
  for (const [position, token] of tokens.entries()) {
    const isContext = masks[position] === -100;
    const logprob = logprobs[position] as number;
    if (!isContext && masks[position] !== token) return `mask ${masks[position]} at ${position}`;
    if (isContext ? logprob !== 1 : logprob > 0) return `log-prob ${logprob} at ${position}`;
  }
  return null;
}
