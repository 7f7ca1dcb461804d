import type { FinishedGroup } from '../process-rules.ts';
import { originOf, plainMessages, toolsText } from './_line-parts.ts';
import type { TrainingLine } from './training-format.ts';

/** One line a trajectory, with its messages in OpenAI's shape. */
export function messagesLines(group: FinishedGroup): readonly TrainingLine[] {
  return group.members.map(({ record, tools }) => ({
    id: record.rolloutId,
    itemId: group.itemId,
    value: {
      id: record.rolloutId,
      ...originOf(group, record),
      messages: plainMessages(record.agent?.messages ?? []),
      tools: toolsText(tools),
    },
    rewards: { key: 'reward', value: record.reward.reward },
  }));
}
