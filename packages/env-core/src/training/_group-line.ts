import type { TokenSegment } from '@hermes/protocol';
import type { FinishedGroup, GroupMember } from '../process-rules.ts';
import { plainMessages, toolsText } from './_line-parts.ts';
import { refuseWithoutTokens } from './_tokens-line.ts';
import type { TrainingFormat, TrainingLine } from './training-format.ts';

/**
 * One line a group in the shape of Atropos: lists with an entry for each sequence. A rollout with
 * several token segments has several; one without tokens has an empty one, and the line says that it
 * cannot be trained on.
 */
export function groupLines(group: FinishedGroup, format: TrainingFormat): readonly TrainingLine[] {
  const { groupId, itemId, toolsets, members } = group;
  if (format === 'tokens') for (const { record } of members) refuseWithoutTokens(record);
  const sequences = members.flatMap(sequencesOf);
  const messages = sequences.map(({ record }) => plainMessages(record.agent?.messages ?? []));
  const value = {
    id: groupId,
    groupId,
    itemId,
    toolsets,
    tools: toolsText(members[0]?.tools ?? []),
    rollouts: sequences.map(({ record }) => record.rolloutId),
    trainable: members.every(({ record }) => record.trainable),
    tokens: sequences.map(({ segment }) => segment?.ids ?? []),
    masks: sequences.map(({ segment }) => segment?.mask ?? []),
    inference_logprobs: sequences.map(({ segment }) => segment?.logprobs ?? []),
    ...(format === 'messages' ? { messages } : {}),
  };
  const scores = sequences.map(({ record }) => record.reward.reward);
  return [{ id: groupId, itemId, value, rewards: { key: 'scores', value: scores } }];
}

type Sequence = Readonly<{ record: GroupMember['record']; segment: TokenSegment | null }>;

function sequencesOf({ record }: GroupMember): readonly Sequence[] {
  if (!record.trainable) return [{ record, segment: null }];
  return record.segments.map((segment) => ({ record, segment }));
}
