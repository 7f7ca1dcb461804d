import type { JsonObject } from '@hermes/protocol';
import { type QueuedGroup, type QueueState, waitingGroups } from '../queue/queue-state.ts';

type SavedGroup = Omit<QueuedGroup, 'json'>;

/** The whole state as one entry: where a rewritten log begins. Its parts are the JSON of `groups`, in order. */
export type Snapshot = Readonly<{
  type: 'snapshot';
  plain: Omit<QueueState, 'queue' | 'buffers' | 'ready' | 'latest' | 'answers'>;
  groups: readonly SavedGroup[];
  queue: readonly number[] | null;
  buffers: readonly (readonly [number, readonly number[]])[];
  ready: readonly Readonly<{ id: number; groups: readonly number[] }>[];
  latest: number | null;
  answers: readonly (readonly [string, JsonObject])[];
}>;

export function takeSnapshot(state: QueueState): Readonly<{ record: Snapshot; parts: Buffer[] }> {
  const { queue, buffers, ready, latest, answers, ...plain } = state;
  const groups = new Map<number, QueuedGroup>();
  for (const group of waitingGroups(state)) groups.set(group.id, group);
  if (latest !== null) groups.set(latest.id, latest);
  const record: Snapshot = {
    type: 'snapshot',
    plain,
    groups: [...groups.values()].map(({ json: _json, ...saved }) => saved),
    queue: queue && idsOf(queue),
    buffers: [...buffers].map(([id, buffer]) => [id, idsOf(buffer)]),
    ready: ready.map((batch) => ({ id: batch.id, groups: idsOf(batch.groups) })),
    latest: latest === null ? null : latest.id,
    answers: [...answers],
  };
  return { record, parts: [...groups.values()].map(({ json }) => json) };
}

export function fromSnapshot(snapshot: Snapshot, parts: readonly Buffer[]): QueueState {
  const byId = new Map<number, QueuedGroup>();
  for (const [index, saved] of snapshot.groups.entries())
    byId.set(saved.id, { ...saved, json: parts[index] as Buffer });
  const groupsOf = (ids: readonly number[]) => ids.flatMap((id) => byId.get(id) ?? []);
  return {
    ...snapshot.plain,
    queue: snapshot.queue && groupsOf(snapshot.queue),
    buffers: new Map(snapshot.buffers.map(([id, ids]) => [id, groupsOf(ids)])),
    ready: snapshot.ready.map(({ id, groups }) => ({ id, groups: groupsOf(groups) })),
    latest: snapshot.latest === null ? null : (byId.get(snapshot.latest) ?? null),
    answers: new Map(snapshot.answers),
  };
}

function idsOf(groups: readonly QueuedGroup[]): readonly number[] {
  return groups.map(({ id }) => id);
}
