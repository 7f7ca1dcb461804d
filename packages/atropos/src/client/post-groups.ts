import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { TrainerError } from '../trainer-error.ts';
import { type AskContext, throwIfFailed } from './ask.ts';
import { askStatus } from './ask-status.ts';
import type { HttpAnswer } from './http-connection.ts';
import { notRegistered, type Registrations } from './registrations.ts';
import { ifNotDone, ifRetryable, withRetries } from './retry.ts';

export type Post = Readonly<{
  environmentId: number;
  path: string;
  value: unknown;
  /** The same for the same groups, also out of another process: a server that knows it takes them once. */
  key: string;
  signal: AbortSignal;
}>;

const zip = promisify(gzip);

/** Shorter texts are not worth zipping. */
const LEAST_ZIPPED_BYTES = 1024;

/**
 * Sends groups and returns the answer: taken, or a refusal of these groups (400 and above). Throws when the trainer is not there, does not
 * know the environment, or may have got them although nobody knows.
 */
export async function postGroups(
  context: AskContext,
  registrations: Registrations,
  post: Post,
): Promise<HttpAnswer> {
  const registration = registrations.get(post.environmentId);
  const body = await encode(post.value);
  const mayRepeat = registration.knowsKeys ? ifRetryable : ifNotDone;
  const options = { ...context, signal: post.signal };
  const answer = await withRetries(options, mayRepeat, async () => {
    const response = await sendConfirmed(context, registrations, post, {
      ...body,
      'idempotency-key': post.key,
    });
    if (response.status >= 502)
      throwIfFailed(context, { method: 'POST', path: post.path }, response);
    return response;
  }).catch(async (error: unknown) => {
    // under its key it may come again at any time
    if (registration.knowsKeys || !isUndecided(error)) throw error;
    await throwIfForgotten(context, registrations, post);
    throw deliveryUnknown(error, post.path);
  });
  if (answer.status === 404 || answer.status === 409) {
    registrations.forget(post.environmentId);
    throw notRegistered(post.environmentId, 'is not known to the trainer');
  }
  return answer;
}

type Sent = Readonly<{ body: Buffer; headers: Readonly<Record<string, string>> }> &
  Readonly<{ 'idempotency-key': string }>;

/** Only over a connection on which this very trainer has confirmed the environment; a new connection is asked first. */
async function sendConfirmed(
  { connection, ...rest }: AskContext,
  registrations: Registrations,
  { environmentId, path, signal }: Post,
  { body, headers, ...keyed }: Sent,
): Promise<HttpAnswer> {
  for (;;) {
    const { confirmedOn } = registrations.get(environmentId);
    const answer = await connection.send({
      method: 'POST',
      path,
      body,
      headers: { ...headers, ...keyed },
      signal,
      mayUse: (socket) => confirmedOn.has(socket),
    });
    if (answer !== null) return answer;
    await askStatus({ connection, ...rest }, registrations, environmentId, signal);
  }
}

async function encode(
  value: unknown,
): Promise<Readonly<{ body: Buffer; headers: Readonly<Record<string, string>> }>> {
  const plain = Buffer.from(JSON.stringify(value));
  if (plain.length < LEAST_ZIPPED_BYTES) return { body: plain, headers: {} };
  const zipped = await zip(plain, { level: constants.Z_BEST_SPEED });
  if (zipped.length >= plain.length) return { body: plain, headers: {} };
  return { body: zipped, headers: { 'content-encoding': 'gzip' } };
}

/** A connection that broke after the request left: the groups may be in the queue or not. */
function isUndecided(error: unknown): error is TrainerError {
  if (!(error instanceof TrainerError) || error.details?.wasWritten !== true) return false;
  return error.code === 'CONNECTION' || error.code === 'TIMEOUT';
}

/** A trainer that has forgotten the environment has no groups of it either: then it is certain that they have to go again. */
async function throwIfForgotten(
  context: AskContext,
  registrations: Registrations,
  { environmentId, signal }: Post,
): Promise<void> {
  try {
    await askStatus(context, registrations, environmentId, signal);
  } catch (error) {
    if (error instanceof TrainerError && error.code === 'NOT_REGISTERED') throw error;
    // the trainer is not there to be asked: still undecided
  }
}

function deliveryUnknown(cause: TrainerError, path: string): TrainerError {
  const message = `POST ${path}: the connection broke before the answer, and this server cannot tell a repeated send from a new one. The groups may have arrived; keep them, and send them again only if a double does no harm.`;
  return new TrainerError('DELIVERY_UNKNOWN', message, { cause });
}
