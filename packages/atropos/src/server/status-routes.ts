import { readIdentifierBody } from '../wire/registrations.ts';
import { floatText } from '../wire/writers.ts';
import { refused } from './answer-of.ts';
import { type Answer, json, jsonText, unprocessable } from './answers.ts';
import { isRefusal } from './refusal.ts';
import type { RouteContext, RouteRequest } from './route.ts';

export function info({ queue: { state } }: RouteContext): Answer {
  if (state.batchSize === null || state.maxTokens === null)
    return json({ batch_size: -1, max_token_len: -1 });
  return json({ batch_size: state.batchSize, max_token_len: state.maxTokens });
}

export function status({ queue }: RouteContext): Answer {
  const { state, step } = queue;
  if (state.queue === null || state.step === null) return json({ current_step: 0, queue_size: 0 });
  return json({ current_step: step, queue_size: state.queue.length });
}

export async function statusOfEnvironment(
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
