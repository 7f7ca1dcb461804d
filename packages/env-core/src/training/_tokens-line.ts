import type { CompletedRollout } from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';
import { hasSampledNothing } from '../_sampled-nothing.ts';
import type { FinishedGroup } from '../process-rules.ts';
import { originOf } from './_line-parts.ts';
import type { TrainingLine } from './training-format.ts';

/** One line a token segment: a rollout whose history was rewritten, or that had subagents, has several. Each has the rollout's reward. */
export function tokensLines(group: FinishedGroup): readonly TrainingLine[] {
  return group.members.flatMap(({ record }) => {
    refuseWithoutTokens(record);
    return record.segments.map((segment) => ({
      id: `${record.rolloutId}#${segment.index}`,
      itemId: group.itemId,
      value: {
        id: `${record.rolloutId}#${segment.index}`,
        ...originOf(group, record),
        segment: segment.index,
        invocation: segment.invocationId,
        tokens: segment.ids,
        masks: segment.mask,
        logprobs: segment.logprobs,
      },
      rewards: { key: 'reward', value: record.reward.reward } as const,
    }));
  });
}

/** Throws NO_TOKENS for a record whose tokens nobody sampled. */
export function refuseWithoutTokens(record: CompletedRollout): void {
  if (record.trainable || hasSampledNothing(record)) return;
  const { modelId } = record.identity.model;
  const message = `The model ${modelId} gives no token ids, so there are no tokens to write: choose the format messages or sharegpt, or a model in token space`;
  throw new HermesError('config', 'NO_TOKENS', message);
}
