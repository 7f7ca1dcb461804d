import type { ScoredGroup, ScoredSequence } from '@hermes/protocol';

/** The mask of a position that the model did not sample. */
const CONTEXT = -100;

/** Its log-prob: trainers tell context by it. */
const CONTEXT_LOGPROB = 1;

/**
 * Why a group may not be sent, or null when it may. A trainer would take most of these and train on nonsense: NaN even breaks the batch that
 * it gets into.
 */
export function checkGroup(group: ScoredGroup): string | null {
  if (group.sequences.length === 0) return 'the group has no sequences';
  for (const [index, sequence] of group.sequences.entries()) {
    const wrong = checkSequence(sequence) ?? checkExtras(sequence, group.sequences[0]);
    if (wrong !== null) return `sequence ${index}: ${wrong}`;
  }
  return null;
}

function checkSequence({ tokens, mask, logprobs, score }: ScoredSequence): string | null {
  if (!Number.isFinite(score)) return `the score ${score} is not a finite number`;
  if (tokens.length === 0) return 'it has no tokens';
  if (mask.length !== tokens.length || logprobs.length !== tokens.length)
    return `${tokens.length} tokens, ${mask.length} mask entries, ${logprobs.length} log-probs`;
  for (const [position, token] of tokens.entries()) {
    const wrong = checkPosition(token, mask[position], logprobs[position]);
    if (wrong !== null) return `position ${position}: ${wrong}`;
  }
  return null;
}

function checkPosition(
  token: number,
  mask: number | undefined,
  logprob: number | undefined,
): string | null {
  if (!Number.isSafeInteger(token) || token < 0) return `${token} is no token id`;
  if (mask === CONTEXT)
    return logprob === CONTEXT_LOGPROB ? null : `context has log-prob ${logprob} instead of 1`;
  if (mask !== token) return `mask ${mask} is neither -100 nor the token ${token}`;
  const isLogprob = logprob !== undefined && Number.isFinite(logprob) && logprob <= 0;
  return isLogprob ? null : `${logprob} is no log-prob of a sampled token`;
}

const perToken = ['advantages', 'refLogprobs', 'distillIds', 'distillLogprobs'] as const;

/** What is optional is there for every sequence or for none, and as long as the tokens. */
function checkExtras(sequence: ScoredSequence, first: ScoredSequence | undefined): string | null {
  for (const name of perToken) {
    const values = sequence[name];
    if ((values === undefined) !== (first?.[name] === undefined))
      return `${name} is there for some sequences and not for others`;
    if (values === undefined) continue;
    if (values.length !== sequence.tokens.length)
      return `${values.length} ${name} for ${sequence.tokens.length} tokens`;
    if (!values.flat().every((value) => Number.isFinite(value)))
      return `${name} holds a value that is not a finite number`;
  }
  return null;
}
