import type { QueueState } from '../queue/queue-state.ts';
import type { ReceivedGroup } from '../wire/scored-data.ts';
import { internal, type Refusal, refusal, type TrajectoryMode } from './refusal.ts';

/** Whether groups that are well formed can be taken; null = yes. */
export function checkGroups(
  state: QueueState,
  groups: readonly ReceivedGroup[],
  { mode, maxQueueBytes }: Readonly<{ mode: TrajectoryMode; maxQueueBytes: number }>,
): Refusal | null {
  const bytes = groups.reduce((sum, { json }) => sum + json.length, 0);
  if (bytes > 0 && state.waitingBytes + bytes > maxQueueBytes)
    return refusal(
      'queue_full',
      `The queue holds ${state.waitingBytes} of at most ${maxQueueBytes} bytes. Send again once the trainer has taken a batch.`,
    );
  const check = mode === 'strict' ? checkStrict : checkCompat;
  for (const group of groups) {
    const refused = check(state, group);
    if (refused !== null) return refused;
  }
  return null;
}

/** A negative id counts from the end of the list; before its beginning the original breaks. */
function checkCompat(state: QueueState, { environmentId }: ReceivedGroup): Refusal | null {
  const count = state.environments?.length ?? 0;
  return environmentId !== null && environmentId < -count ? internal : null;
}

function checkStrict(state: QueueState, group: ReceivedGroup): Refusal | null {
  if (state.queue === null)
    return refusal('no_trainer', 'No trainer has registered: POST /register first.');
  if (group.environmentId === null) return null;
  const entry = state.environments?.[group.environmentId];
  if (entry === undefined)
    return refusal(
      'unknown_environment',
      `No environment ${group.environmentId} is registered. Call /register-env first.`,
    );
  if (group.size <= entry.groupSize) return null;
  return refusal(
    'too_large',
    `The group has ${group.size} sequences; ${entry.realName} registered groups of ${entry.groupSize}.`,
  );
}
