import type { JsonObject } from '@hermes/protocol';
import type { QueueState } from './queue-state.ts';

/** Batches whose groups are no longer all there (a reset came between) are not made. */
export function makeReady(state: QueueState, batches: readonly (readonly number[])[]): JsonObject {
  const byId = new Map((state.queue ?? []).map((group) => [group.id, group]));
  for (const ids of batches) {
    const groups = ids.flatMap((id) => byId.get(id) ?? []);
    if (groups.length < ids.length) continue;
    for (const id of ids) byId.delete(id);
    state.ready.push({ id: state.nextBatchId, groups });
    state.nextBatchId += 1;
    state.step = (state.step ?? 0) + 1;
  }
  state.queue = [...byId.values()];
  return {};
}

/** The trainer has it. */
export function takeAway(state: QueueState, batchId: number): JsonObject {
  const taken = state.ready.find((batch) => batch.id === batchId);
  for (const { json } of taken?.groups ?? []) state.waitingBytes -= json.length;
  state.ready = state.ready.filter((batch) => batch !== taken);
  return {};
}
