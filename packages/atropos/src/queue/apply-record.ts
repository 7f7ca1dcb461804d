import type { JsonObject } from '@hermes/protocol';
import type { EnvironmentBody, TrainerBody } from '../wire/registrations.ts';
import { findGroupsThatSumTo } from './find-groups.ts';
import type { EnvironmentEntry, QueuedGroup, QueueState } from './queue-state.ts';
import type { ChangeRecord, GroupHead } from './records.ts';

/** Beyond this a sender has long given up repeating. */
const MOST_ANSWERS = 10_000;

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

/** A second trainer changes nothing while the first one's queue is there. */
function registerTrainer(state: QueueState, body: TrainerBody): JsonObject {
  if (state.queue !== null) return {};
  Object.assign(state, {
    queue: [],
    buffers: new Map(),
    ready: [],
    environments: [],
    hasStarted: false,
    step: body.starting_step,
    group: body.wandb_group,
    project: body.wandb_project,
    batchSize: body.batch_size,
    maxTokens: body.max_token_len,
    checkpointDir: body.checkpoint_dir,
    checkpointEvery: body.save_checkpoint_interval,
    totalSteps: body.num_steps,
  } satisfies Partial<QueueState>);
  return {};
}

function registerEnvironment(state: QueueState, body: EnvironmentBody): JsonObject {
  state.environments ??= [];
  const sameName = state.environments.filter((entry) => entry.desiredName === body.desired_name);
  const id = state.environments.length;
  const entry: EnvironmentEntry = {
    desiredName: body.desired_name,
    realName: `${body.desired_name}_${sameName.length}`,
    maxTokens: body.max_token_length,
    weight: body.weight,
    groupSize: body.group_size,
    minBatchShare: body.min_batch_allocation,
    isConnected: true,
  };
  state.environments.push(entry);
  return {
    status: 'success',
    env_id: id,
    wandb_name: entry.realName,
    checkpoint_dir: state.checkpointDir,
    starting_step: state.step,
    checkpoint_interval: state.checkpointEvery,
    num_steps: state.totalSteps,
  };
}

function changeEnvironment(
  state: QueueState,
  environmentId: number,
  change: Partial<EnvironmentEntry>,
): JsonObject {
  const index = indexOf(state, environmentId);
  const entry = state.environments?.[index];
  if (entry !== undefined && state.environments !== null)
    state.environments[index] = { ...entry, ...change };
  return { status: 'success' };
}

/** As Python indexes a list: -1 is the last one. */
export function indexOf(state: QueueState, environmentId: number): number {
  return environmentId < 0 ? (state.environments?.length ?? 0) + environmentId : environmentId;
}

function addGroupsOnce(
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

/** Batches whose groups are no longer all there (a reset came between) are not made. */
function makeReady(state: QueueState, batches: readonly (readonly number[])[]): JsonObject {
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
function takeAway(state: QueueState, batchId: number): JsonObject {
  const taken = state.ready.find((batch) => batch.id === batchId);
  for (const { json } of taken?.groups ?? []) state.waitingBytes -= json.length;
  state.ready = state.ready.filter((batch) => batch !== taken);
  return {};
}

/** What survives (the last group, the token limit, the checkpoint folder) survives in the original too. */
function reset(state: QueueState): JsonObject {
  if (state.queue === null) return {};
  Object.assign(state, {
    queue: null,
    buffers: new Map(),
    ready: [],
    environments: [],
    hasStarted: false,
    step: 0,
    waitingBytes: 0,
    group: null,
    project: null,
    batchSize: -1,
    totalSteps: -1,
  } satisfies Partial<QueueState>);
  return {};
}
