import type { CompletedRollout } from '@hermes/protocol';
import type { OfferedTools } from './_offered-tools.ts';
import type { GroupPlan } from './_play-group.ts';
import type { FinishedGroup } from './process-rules.ts';

/** A group as those get it who write it down. records: of at least one member. */
export async function finishedGroup(
  { groupId, index, item }: GroupPlan<unknown>,
  records: readonly CompletedRollout[],
  tools: OfferedTools,
): Promise<FinishedGroup> {
  const members = await Promise.all(
    records.map(async (record) => ({ record, tools: await tools.of(record.rolloutId) })),
  );
  return { groupId, index, itemId: item.id, toolsets: records[0]?.toolsets ?? [], members };
}
