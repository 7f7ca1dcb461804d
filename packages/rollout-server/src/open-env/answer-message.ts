import { z } from 'zod';
import type { ServerContext } from '../context.ts';
import { parse } from '../http/parse.ts';
import { Refusal } from '../http/refusal.ts';
import { refusalOf } from '../http/refusal-of.ts';
import { actionBody } from './action.ts';
import { readResetRequest } from './reset-request.ts';
import type { Session } from './session.ts';

const messageBody = z.looseObject({ type: z.string() });

/** The codes of OpenEnv that are refusals' own here. */
const OWN_CODES = new Set([
  'CAPACITY_REACHED',
  'EXECUTION_ERROR',
  'FACTORY_ERROR',
  'INVALID_JSON',
  'SESSION_ERROR',
  'UNKNOWN_TYPE',
]);

/** What is answered to one message of a WebSocket; null = the client says goodbye. Never rejects. */
export async function answerMessage(
  context: ServerContext,
  session: Session,
  text: string,
): Promise<object | null> {
  try {
    return await answer(context, session, parse(messageBody, parseJson(text)));
  } catch (error) {
    const { status, message } = refusalOf(error);
    if (status === 500) context.effects.logger.log('error', `A message failed: ${message}`);
    return errorMessage(error);
  }
}

/** A fault in OpenEnv's form. */
export function errorMessage(error: unknown): object {
  const { status, code, message } = refusalOf(error);
  const refused = status < 500 ? 'VALIDATION_ERROR' : 'EXECUTION_ERROR';
  return { type: 'error', data: { message, code: OWN_CODES.has(code) ? code : refused } };
}

async function answer(
  context: ServerContext,
  session: Session,
  { type, data }: z.infer<typeof messageBody>,
): Promise<object | null> {
  if (type === 'reset') {
    const request = readResetRequest(data ?? {});
    return { type: 'observation', data: await session.reset(context, request) };
  }
  if (type === 'step')
    return { type: 'observation', data: await session.step(parse(actionBody, data)) };
  if (type === 'state') return { type: 'state', data: session.state() };
  if (type === 'close') return null;
  throw new Refusal(400, 'UNKNOWN_TYPE', `There is no message ${type}: reset, step, state, close.`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Refusal(400, 'INVALID_JSON', `The message is no JSON: ${(cause as Error).message}`);
  }
}
