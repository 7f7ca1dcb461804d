import type { JsonObject } from '@hermes/protocol';
import { addGroupsOnce } from './add-groups.ts';
import { makeReady, takeAway } from './change-batches.ts';
import {
  changeEnvironment,
  registerEnvironment,
  registerTrainer,
  reset,
} from './change-registrations.ts';
import type { QueueState } from './queue-state.ts';
import type { ChangeRecord } from './records.ts';

/** Changes the state by one record and says what the sender is to be told. Never throws: what may not happen is refused before it is written. */
export function applyRecord(
  state: QueueState,
  record: ChangeRecord,
  parts: readonly Buffer[] = [],
): JsonObject {
  switch (record.type) {
    case 'trainer':
      return registerTrainer(state, record.body);
    case 'environment':
      return registerEnvironment(state, record.body);
    case 'disconnect':
      return changeEnvironment(state, record.environmentId, { isConnected: false });
    case 'group_size':
      return changeEnvironment(state, record.environmentId, { groupSize: record.groupSize });
    case 'groups':
      return addGroupsOnce(state, record, parts);
    case 'start':
      state.hasStarted = true;
      return {};
    case 'batches':
      return makeReady(state, record.batches);
    case 'taken':
      return takeAway(state, record.batchId);
    case 'reset':
      return reset(state);
  }
}
