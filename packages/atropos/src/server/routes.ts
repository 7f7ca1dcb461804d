import { randomBytes } from 'node:crypto';
import type { JsonObject, JsonValue } from '@hermes/protocol';
import type { ReadyBatch } from '../queue/queue-state.ts';
import { bodyPlace, type Issue, issueOf } from '../wire/issues.ts';
import { readEnvironmentBody, readIdentifierBody, readTrainerBody } from '../wire/registrations.ts';
import { type ReadBody, type ReceivedGroup, readGroup, readGroups } from '../wire/scored-data.ts';
import { floatText } from '../wire/writers.ts';
import { type Answer, internalError, json, jsonText, text, unprocessable } from './answers.ts';
import type { Counters } from './counters.ts';
import { metricsText } from './metrics-text.ts';
import { isRefusal, type Refusal, type TrajectoryMode } from './refusal.ts';
import type { TrajectoryQueue } from './trajectory-queue.ts';

/** What a route may use. */
export type RouteContext = Readonly<{
  queue: TrajectoryQueue;
  mode: TrajectoryMode;
  counters: Counters;
  logBytes: () => number;
}>;

/** A request whose body has been read. */
type RouteRequest = Readonly<{
  body: Buffer;
  query: URLSearchParams;
  /** What a sender calls this send, so that it can be repeated. */
  key: string | null;
}>;

export type Route = Readonly<{
  methods: readonly ('GET' | 'POST')[];
  serve: (context: RouteContext, request: RouteRequest) => Answer | Promise<Answer>;
}>;

export const routes: Readonly<Record<string, Route>> = {
  '/': { methods: ['GET'], serve: () => json({ message: 'AtroposLib API' }) },
  '/register': { methods: ['POST'], serve: registerTrainer },
  '/register-env': { methods: ['POST'], serve: registerEnvironment },
  '/disconnect-env': { methods: ['POST'], serve: disconnect },
  '/wandb_info': {
    methods: ['GET'],
    serve: ({ queue: { state } }) => json({ group: state.group, project: state.project }),
  },
  '/info': { methods: ['GET'], serve: info },
  '/batch': { methods: ['GET'], serve: batch },
  '/latest_example': { methods: ['GET'], serve: latestExample },
  '/scored_data': { methods: ['POST'], serve: scoredData },
  '/scored_data_list': { methods: ['POST'], serve: scoredDataList },
  '/status': { methods: ['GET'], serve: status },
  '/status-env': { methods: ['GET', 'POST'], serve: statusOfEnvironment },
  '/reset_data': { methods: ['GET'], serve: reset },
  '/metrics': { methods: ['GET'], serve: (context) => text(metricsText(context)) },
};

async function registerTrainer({ queue }: RouteContext, { body }: RouteRequest): Promise<Answer> {
  const read = readTrainerBody(body);
  if ('issues' in read) return unprocessable(read.issues);
  await queue.registerTrainer(read.value);
  // above what a JavaScript number holds exactly
  return jsonText(`{"uuid":${BigInt(`0x${randomBytes(16).toString('hex')}`)}}`);
}

async function registerEnvironment(
  { queue }: RouteContext,
  { body }: RouteRequest,
): Promise<Answer> {
  const read = readEnvironmentBody(body);
  if ('issues' in read) return unprocessable(read.issues);
  const registered = await queue.registerEnvironment(read.value);
  if (registered === null) return json({ status: 'wait for trainer to start' });
  return answerOf(registered, { 'trajectory-repeats': 'by-key' });
}

async function disconnect({ queue }: RouteContext, { body }: RouteRequest): Promise<Answer> {
  const read = readIdentifierBody(body);
  if ('issues' in read) return unprocessable(read.issues);
  return json(await queue.disconnect(read.value.env_id));
}

function info({ queue: { state } }: RouteContext): Answer {
  if (state.batchSize === null || state.maxTokens === null)
    return json({ batch_size: -1, max_token_len: -1 });
  return json({ batch_size: state.batchSize, max_token_len: state.maxTokens });
}

async function batch({ queue, counters }: RouteContext): Promise<Answer> {
  const taken = await queue.take();
  if (taken === null) return json({ batch: null });
  if (!isRefusal(taken)) return batchAnswer(taken, queue, counters);
  if (taken.refused !== 'no_trainer') return refused(taken);
  return json({ status: 'error', message: taken.detail, batch: [] });
}

/** A batch that holds NaN cannot be written as JSON: it is lost, as in the original. `strict` lets none in. */
function batchAnswer(ready: ReadyBatch, queue: TrajectoryQueue, counters: Counters): Answer {
  const onEnd = (wasSent: boolean) => {
    counters.count(wasSent ? 'batches_handed_out' : 'batches_returned');
    counters.watch(queue.settle(ready, wasSent));
  };
  if (ready.groups.some((group) => !group.isFinite)) return { ...internalError, onEnd };
  const pieces: Uint8Array[] = [Buffer.from('{"batch":[')];
  for (const [index, group] of ready.groups.entries()) {
    if (index > 0) pieces.push(Buffer.from(','));
    pieces.push(group.json);
  }
  pieces.push(Buffer.from(']}'));
  return { status: 200, type: 'application/json', pieces, onEnd };
}

const emptyExample = {
  tokens: [],
  masks: [],
  scores: [],
  advantages: [],
  ref_logprobs: [],
  generation_params: [],
  inference_logprobs: [],
  messages: [],
  images: [],
};

function latestExample({ queue: { state } }: RouteContext): Answer {
  if (state.latest === null) return json(emptyExample);
  if (!state.latest.isFinite) return internalError;
  return { status: 200, type: 'application/json', pieces: [state.latest.json] };
}

function scoredData(context: RouteContext, request: RouteRequest): Promise<Answer> {
  const read = readGroup(request.body, context.mode === 'strict');
  const groups = 'issues' in read ? read : { value: [read.value] };
  return addGroups(context, request, groups, false);
}

function scoredDataList(context: RouteContext, request: RouteRequest): Promise<Answer> {
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

function status({ queue }: RouteContext): Answer {
  const { state, step } = queue;
  if (state.queue === null || state.step === null) return json({ current_step: 0, queue_size: 0 });
  return json({ current_step: step, queue_size: state.queue.length });
}

async function statusOfEnvironment(
  { queue }: RouteContext,
  { body, query }: RouteRequest,
): Promise<Answer> {
  const id = query.get('env_id');
  // fetch sends no body with GET, so the id may stand in the query too
  const read = readIdentifierBody(
    body.length === 0 && id !== null ? Buffer.from(JSON.stringify({ env_id: id })) : body,
  );
  if ('issues' in read) return unprocessable(read.issues);
  const found = await queue.status(read.value.env_id);
  if (isRefusal(found)) return refused(found);
  const { unallocated_fraction, env_weight, ...counts } = { ...found, current_step: queue.step };
  const whole = JSON.stringify(counts).slice(0, -1);
  return jsonText(
    `${whole},"unallocated_fraction":${floatText(unallocated_fraction)},"env_weight":${floatText(env_weight)}}`,
  );
}

async function reset({ queue }: RouteContext): Promise<Answer> {
  await queue.reset();
  return text('Reset successful');
}

function answerOf(
  value: JsonObject | Refusal,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return isRefusal(value) ? refused(value) : json(value as JsonValue, 200, headers);
}

function refused({ refused: why, detail }: Refusal): Answer {
  if (why === 'internal') return internalError;
  if (why === 'queue_full') return json({ detail }, 503, { 'retry-after': '1' });
  if (why === 'too_large') return unprocessable([tooLarge(detail)]);
  return json({ detail }, why === 'no_trainer' ? 409 : 404);
}

function tooLarge(msg: string): Issue {
  return { type: 'group_too_large', loc: ['body', 'tokens'], msg, input: null };
}

/** For a route that declares a body and got none. */
export const missingBody: Answer = unprocessable([issueOf('missing', bodyPlace, null)]);
