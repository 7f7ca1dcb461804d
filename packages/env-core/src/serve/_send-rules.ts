import type { CompletedRollout, Sampling, ScoredGroup, ScoredSequence } from '@hermes/protocol';
import { hasSampledNothing } from '../_sampled-nothing.ts';
import type { Environment } from '../environment.ts';
import { scoredGroupOf } from './scored-group.ts';
import type { GroupRules } from './serve-rules.ts';

/** Room that a trainer needs beside a sequence at its limit. */
const MARGIN = 64;

/** A group that may be sent, or why it is not. */
export type Prepared = Readonly<
  | { kind: 'send'; group: ScoredGroup; truncated: number; segmentsLeftOut: number }
  | { kind: 'skip'; reason: 'environment' | 'size' | 'same_scores' | 'too_long' | 'not_answered' }
  | { kind: 'failed'; error: unknown }
>;

/** What the rules look at. maxTokens: the trainer's limit; null: it has not said. */
export type SendRules = Readonly<{
  environment: Pick<Environment<never>, 'finishGroup'>;
  rules: GroupRules;
  sampling: Sampling;
  maxTokens: number | null;
}>;

/**
 * The rules in their order: that every member was answered, the environment's own say, the size, the scores, the length. The first that
 * speaks against a group names the reason. failed: the environment's hook threw.
 */
export async function prepareGroup(
  groupId: string,
  records: readonly CompletedRollout[],
  { environment, rules, sampling, maxTokens }: SendRules,
): Promise<Prepared> {
  if (records.some(hasSampledNothing)) return { kind: 'skip', reason: 'not_answered' };
  const scored = scoredGroupOf(groupId, records, rules, sampling);
  try {
    const group = environment.finishGroup ? await environment.finishGroup(records, scored) : scored;
    return group === null
      ? { kind: 'skip', reason: 'environment' }
      : judge(group, records, rules, maxTokens);
  } catch (error) {
    return { kind: 'failed', error };
  }
}

function judge(
  group: ScoredGroup,
  records: readonly CompletedRollout[],
  rules: GroupRules,
  maxTokens: number | null,
): Prepared {
  const { sequences } = group;
  if (sequences.length !== expectedSize(group, rules)) return { kind: 'skip', reason: 'size' };
  const isFlat =
    sequences.length > 1 && sequences.every(({ score }) => score === sequences[0]?.score);
  if (isFlat && (rules.dropSameScores ?? true)) return { kind: 'skip', reason: 'same_scores' };
  const cut = sequences.map((sequence) => cutSequence(sequence, maxTokens));
  if (!cut.every(hasSampled)) return { kind: 'skip', reason: 'too_long' };
  return {
    kind: 'send',
    group: { ...group, sequences: cut },
    truncated: cut.filter((sequence, place) => sequence !== sequences[place]).length,
    segmentsLeftOut: records.reduce((sum, { segments }) => sum + segments.length - 1, 0),
  };
}

function expectedSize({ groupOverrides }: ScoredGroup, { size }: GroupRules): number {
  const own = groupOverrides?.group_size;
  return typeof own === 'number' ? own : size;
}

/** A trainer would drop the whole group for one sequence at its limit: its end is cut off instead, and it says so. */
function cutSequence(sequence: ScoredSequence, maxTokens: number | null): ScoredSequence {
  if (maxTokens === null || sequence.tokens.length < maxTokens) return sequence;
  const keep = Math.max(0, maxTokens - MARGIN);
  const { advantages, refLogprobs, distillIds, distillLogprobs } = sequence;
  return {
    ...sequence,
    tokens: sequence.tokens.slice(0, keep),
    mask: sequence.mask.slice(0, keep),
    logprobs: sequence.logprobs.slice(0, keep),
    ...(advantages && { advantages: advantages.slice(0, keep) }),
    ...(refLogprobs && { refLogprobs: refLogprobs.slice(0, keep) }),
    ...(distillIds && { distillIds: distillIds.slice(0, keep) }),
    ...(distillLogprobs && { distillLogprobs: distillLogprobs.slice(0, keep) }),
    overrides: { ...sequence.overrides, truncated: true },
  };
}

/** Without one sampled token there is nothing to learn from. */
function hasSampled({ mask }: ScoredSequence): boolean {
  return mask.some((id) => id !== -100);
}
