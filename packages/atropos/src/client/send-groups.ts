import type { ScoredGroup, SendResult } from '@hermes/protocol';
import { TrainerError } from '../trainer-error.ts';
import { type AskContext, readAs, reasonIn } from './ask.ts';
import { checkGroup } from './check-group.ts';
import { groupToWire } from './group-to-wire.ts';
import type { HttpAnswer } from './http-connection.ts';
import { keyOfGroups } from './key-of-groups.ts';
import { lastTaken } from './last-taken.ts';
import { postGroups } from './post-groups.ts';
import { refusedIndices } from './refused-indices.ts';
import type { Registrations } from './registrations.ts';
import { sentListSchema, sentSchema } from './wire-schemas.ts';

type Sending = Readonly<{
  context: AskContext;
  registrations: Registrations;
  environmentId: number;
  signal: AbortSignal;
}>;

/** One result a group, in order. A group that cannot be right is refused here and never sent. */
export async function sendGroups(
  context: AskContext,
  registrations: Registrations,
  environmentId: number,
  groups: readonly ScoredGroup[],
  signal: AbortSignal,
): Promise<readonly SendResult[]> {
  registrations.get(environmentId);
  const results = new Map<ScoredGroup, SendResult>();
  for (const group of groups) {
    const reason = checkGroup(group);
    if (reason !== null) results.set(group, { status: 'refused', reason: `invalid: ${reason}` });
  }
  const good = groups.filter((group) => !results.has(group));
  await deliver({ context, registrations, environmentId, signal }, good, results);
  return groups.map((group) => results.get(group) as SendResult);
}

/** A single group and a list have routes of their own. */
async function deliver(
  sending: Sending,
  groups: readonly ScoredGroup[],
  results: Map<ScoredGroup, SendResult>,
): Promise<void> {
  const [only] = groups;
  if (only === undefined) return;
  if (groups.length === 1) results.set(only, await deliverOne(sending, only));
  else await deliverList(sending, groups, results);
}

async function deliverOne(sending: Sending, group: ScoredGroup): Promise<SendResult> {
  const path = '/scored_data';
  const wire = groupToWire(group, sending.environmentId);
  const answer = await post(sending, path, [group], wire).catch(async (error: unknown) => {
    const isOpen = error instanceof TrainerError && error.code === 'DELIVERY_UNKNOWN';
    if (!isOpen) throw error;
    const isLast = await lastTaken(sending.context, sending.signal);
    if (isLast(group)) return null;
    throw error;
  });
  if (answer === null) return { status: 'received' };
  if (answer.status >= 400) return { status: 'refused', reason: refusalOf(answer) };
  const value = readAs(sentSchema, sending.context, { method: 'POST', path }, answer);
  if (value.status === 'received') return value;
  return { status: 'buffered', sequences: value.buffer_size };
}

/** The trainer takes all groups of a list or none: those that it names are refused, the others go again without them. */
async function deliverList(
  sending: Sending,
  groups: readonly ScoredGroup[],
  results: Map<ScoredGroup, SendResult>,
): Promise<void> {
  const path = '/scored_data_list';
  const wire = groups.map((group) => groupToWire(group, sending.environmentId));
  const answer = await post(sending, path, groups, wire);
  if (answer.status < 400) {
    const value = readAs(sentListSchema, sending.context, { method: 'POST', path }, answer);
    for (const group of groups) results.set(group, listResult(sending, group, value));
    return;
  }
  const named = refusedIndices(answer.text);
  const blamed = groups.filter((_group, index) => named.has(index));
  for (const group of blamed) results.set(group, { status: 'refused', reason: refusalOf(answer) });
  const rest = groups.filter((group) => !results.has(group));
  if (blamed.length > 0) return deliver(sending, rest, results);
  for (const group of rest) results.set(group, await deliverOne(sending, group));
}

/** The answer to a list does not say which groups are buffered: those of another size than the registered one. */
function listResult(
  { registrations, environmentId }: Sending,
  group: ScoredGroup,
  { last_buffer_size: sequences }: Readonly<{ last_buffer_size?: number | undefined }>,
): SendResult {
  const { groupSize } = registrations.get(environmentId);
  const isBuffered = sequences !== undefined && group.sequences.length !== groupSize;
  return isBuffered ? { status: 'buffered', sequences } : { status: 'received' };
}

function post(
  { context, registrations, environmentId, signal }: Sending,
  path: string,
  groups: readonly ScoredGroup[],
  value: unknown,
): Promise<HttpAnswer> {
  const key = keyOfGroups(groups);
  return postGroups(context, registrations, { environmentId, path, value, key, signal });
}

function refusalOf({ status, text }: HttpAnswer): string {
  return `HTTP ${status}: ${reasonIn(text)}`;
}
