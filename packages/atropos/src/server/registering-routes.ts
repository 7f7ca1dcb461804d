import { randomBytes } from 'node:crypto';
import { readEnvironmentBody, readIdentifierBody, readTrainerBody } from '../wire/registrations.ts';
import { answerOf } from './answer-of.ts';
import { type Answer, json, jsonText, text, unprocessable } from './answers.ts';
import type { RouteContext, RouteRequest } from './route.ts';

export async function registerTrainer(
  { queue }: RouteContext,
  { body }: RouteRequest,
): Promise<Answer> {
  const read = readTrainerBody(body);
  if ('issues' in read) return unprocessable(read.issues);
  await queue.registerTrainer(read.value);
  // above what a JavaScript number holds exactly
  return jsonText(`{"uuid":${BigInt(`0x${randomBytes(16).toString('hex')}`)}}`);
}

export async function registerEnvironment(
  { queue }: RouteContext,
  { body }: RouteRequest,
): Promise<Answer> {
  const read = readEnvironmentBody(body);
  if ('issues' in read) return unprocessable(read.issues);
  const registered = await queue.registerEnvironment(read.value);
  if (registered === null) return json({ status: 'wait for trainer to start' });
  return answerOf(registered, { 'trajectory-repeats': 'by-key' });
}

export async function disconnect({ queue }: RouteContext, { body }: RouteRequest): Promise<Answer> {
  const read = readIdentifierBody(body);
  if ('issues' in read) return unprocessable(read.issues);
  return json(await queue.disconnect(read.value.env_id));
}

export async function reset({ queue }: RouteContext): Promise<Answer> {
  await queue.reset();
  return text('Reset successful');
}
