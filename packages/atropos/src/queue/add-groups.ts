import type { JsonObject } from '@hermes/protocol';
import { findGroupsThatSumTo } from './find-groups.ts';
import { indexOf, type QueuedGroup, type QueueState } from './queue-state.ts';
import type { ChangeRecord, GroupHead } from './records.ts';

/** Beyond this a sender has long given up repeating. */
const MOST_ANSWERS = 10_000;

/** Groups that came before under the same key get the answer of then. */
export function addGroupsOnce(
  state: QueueState,
  { key, heads, isList }: Extract<ChangeRecord, { type: 'groups' }>,
  parts: readonly Buffer[],
): JsonObject {
  const earlier = key === null ? undefined : state.answers.get(key);
  if (earlier !== undefined) return earlier;
  const answers = heads.map((head, index) => addGroup(state, head, parts[index] as Buffer));
  const answer = isList ? summary(answers) : (answers[0] as GroupAnswer);
  if (key !== null) remember(state, key, answer);
  return answer;
}

type GroupAnswer = Readonly<{ status: 'received' } | { status: 'buffered'; buffer_size: number }>;

function addGroup(state: QueueState, head: GroupHead, json: Buffer): GroupAnswer {
  state.queue ??= [];
  const group = { ...head, id: state.nextGroupId, json };
  state.nextGroupId += 1;
  state.waitingBytes += json.length;
  const expected =
    head.environmentId === null
      ? undefined
      : state.environments?.[indexOf(state, head.environmentId)]?.groupSize;
  if (head.environmentId !== null && expected !== undefined && expected !== head.size)
    return buffer(state, head.environmentId, group, expected);
  enqueue(state, [group]);
  return { status: 'received' };
}

/** Groups of another size than the environment's own wait until some of them add up to it. */
function buffer(
  state: QueueState,
  environmentId: number,
  group: QueuedGroup,
  expected: number,
): GroupAnswer {
  const waiting = [...(state.buffers.get(environmentId) ?? []), group];
  const sizes = waiting.map(({ size }) => size);
  const chosen = new Set(findGroupsThatSumTo(sizes, expected));
  enqueue(
    state,
    waiting.filter((_one, index) => chosen.has(index)),
  );
  const left = waiting.filter((_one, index) => !chosen.has(index));
  state.buffers.set(environmentId, left);
  return { status: 'buffered', buffer_size: left.reduce((sum, { size }) => sum + size, 0) };
}

function enqueue(state: QueueState, groups: readonly QueuedGroup[]): void {
  state.queue ??= [];
  state.queue.push(...groups);
  state.latest = groups.at(-1) ?? state.latest;
}

function summary(answers: readonly GroupAnswer[]): JsonObject {
  const buffered = answers.filter((answer) => answer.status === 'buffered');
  const last = buffered.at(-1);
  return {
    status: 'received',
    groups_processed: answers.length,
    ...(last && { buffered: buffered.length, last_buffer_size: last.buffer_size }),
  };
}

function remember(state: QueueState, key: string, answer: JsonObject): void {
  state.answers.set(key, answer);
  const [oldest] = state.answers.keys();
  if (state.answers.size > MOST_ANSWERS && oldest !== undefined) state.answers.delete(oldest);
}
