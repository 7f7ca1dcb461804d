import { type ReadBody, type ReceivedGroup, readGroup, readGroups } from '../wire/scored-data.ts';
import { answerOf } from './answer-of.ts';
import { type Answer, unprocessable } from './answers.ts';
import { isRefusal } from './refusal.ts';
import type { RouteContext, RouteRequest } from './route.ts';

export function scoredData(context: RouteContext, request: RouteRequest): Promise<Answer> {
  const read = readGroup(request.body, context.mode === 'strict');
  const groups = 'issues' in read ? read : { value: [read.value] };
  return addGroups(context, request, groups, false);
}

export function scoredDataList(context: RouteContext, request: RouteRequest): Promise<Answer> {
  const read = readGroups(request.body, context.mode === 'strict');
  return addGroups(context, request, read, true);
}

async function addGroups(
  { queue, counters }: RouteContext,
  { key }: RouteRequest,
  read: ReadBody<readonly ReceivedGroup[]>,
  isList: boolean,
): Promise<Answer> {
  if ('issues' in read) {
    counters.count('groups_refused');
    return unprocessable(read.issues);
  }
  const added = await queue.add(read.value, isList, key);
  counters.count(isRefusal(added) ? 'groups_refused' : 'groups_received', read.value.length);
  return answerOf(added);
}
