import { z } from 'zod';
import type { WireRequest } from './engine-wire.ts';
import { readErrorBody, refusal, wireError } from './wire-error.ts';

/** Which image the workers of an endpoint run: they take their jobs in different words. */
export type RunpodWorker = 'sglang' | 'vllm';

/** What became of a job: an answer, or none yet. */
export type JobState = Readonly<
  { kind: 'done'; value: unknown } | { kind: 'waiting'; id: string | null }
>;

/** A request to an engine as a job that is waited for. */
export function jobRequest(worker: RunpodWorker, request: WireRequest): WireRequest {
  return { method: 'POST', path: '/runsync', body: { input: JOB_INPUT[worker](request) } };
}

const JOB_INPUT: Readonly<
  Record<RunpodWorker, (request: WireRequest) => NonNullable<WireRequest['body']>>
> = {
  sglang: ({ body = {}, path }) =>
    path === '/generate' ? body : { openai_route: path, openai_input: body },
  vllm: ({ body = {}, method, path }) =>
    method === 'POST' ? { route: path, body } : { route: path, body, method },
};

const job = z.object({
  id: z.string().nullish(),
  status: z.enum(['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT']),
  output: z.unknown().optional(),
  error: z.unknown().optional(),
});

/** JSON within JSON within JSON: deeper is no envelope any more. */
const MOST_LEVELS = 3;

/**
 * Takes off what the transport wrapped around an answer: JSON texts, the job, lists of one, the lines
 * of a body. It ends at the first object that is none of these, whatever that holds.
 */
export function unwrapAnswer(
  address: string,
  value: unknown,
  textsLeft: number = MOST_LEVELS,
): JobState {
  if (typeof value === 'string')
    return unwrapAnswer(address, parsedText(address, value, textsLeft), textsLeft - 1);
  if (Array.isArray(value)) return unwrapList(address, value, textsLeft);
  const parsed = job.safeParse(value);
  if (parsed.success) return unwrapJob(address, parsed.data, textsLeft);
  const error = readErrorBody(value);
  if (error !== null) throw refusal(address, error.status ?? 500, error.message);
  return { kind: 'done', value };
}

function unwrapList(address: string, list: readonly unknown[], textsLeft: number): JobState {
  if (list.length === 1) return unwrapAnswer(address, list[0], textsLeft);
  const isLines = list.length > 0 && list.every((entry) => typeof entry === 'string');
  return isLines ? unwrapAnswer(address, list.join(''), textsLeft) : { kind: 'done', value: list };
}

function unwrapJob(address: string, state: z.infer<typeof job>, textsLeft: number): JobState {
  const { id, output, status } = state;
  if (status === 'COMPLETED') return unwrapAnswer(address, output, textsLeft);
  if (status === 'IN_QUEUE' || status === 'IN_PROGRESS') return { kind: 'waiting', id: id ?? null };
  const error = readErrorBody({ error: state.error ?? output ?? '' });
  const said = error === null ? '' : `, "${error.message.slice(0, 200)}"`;
  throw wireError(
    status === 'TIMED_OUT' ? 'TIMEOUT' : 'SERVER',
    `The job at ${address} ended as ${status}${said}: look at the log of its worker.`,
  );
}

function parsedText(address: string, text: string, textsLeft: number): unknown {
  try {
    if (textsLeft > 0) return JSON.parse(text);
  } catch {
    // Told below, with the text.
  }
  throw wireError(
    'BAD_RESPONSE',
    `The worker at ${address} sent what is no JSON ("${text.slice(0, 200)}"): check which kind of worker it is.`,
  );
}
