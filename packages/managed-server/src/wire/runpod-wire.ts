import type { Clock } from '@hermes/protocol';
import type { EngineWire, WireRequest } from './engine-wire.ts';
import { type JobState, jobRequest, type RunpodWorker, unwrapAnswer } from './runpod-jobs.ts';
import { wireError } from './wire-error.ts';

/** How an endpoint with a queue is asked. */
export type RunpodRoute = Readonly<{
  worker: RunpodWorker;
  /** `gateway`: the paths of the engine below `/openai`; `queue`: jobs. */
  by: 'gateway' | 'queue';
}>;

/** Between two looks at a job that waits for a worker or runs. */
const POLL_MS = 1_000;
const CANCEL_LIMIT_MS = 5_000;

/**
 * RunPod serverless in front of an engine. Its gateway and its workers wrap an answer, some of them
 * into a JSON text that holds JSON: the envelope is taken off, the answer itself is never touched.
 * `inner` goes to the endpoint, `https://api.runpod.ai/v2/ID`.
 */
export function createRunpodWire(inner: EngineWire, route: RunpodRoute, clock: Clock): EngineWire {
  const { address } = inner;
  const gateway = (request: WireRequest) => ({ ...request, path: `/openai${request.path}` });
  return {
    address,
    async send(request, signal) {
      const sent = route.by === 'gateway' ? gateway(request) : jobRequest(route.worker, request);
      return finished(inner, clock, unwrapAnswer(address, await inner.send(sent, signal)), signal);
    },
    ...(route.by === 'gateway' &&
      inner.stream && {
        async *stream(request, signal) {
          for await (const event of inner.stream?.(gateway(request), signal) ?? []) {
            const state = unwrapAnswer(address, event);
            if (state.kind === 'done') yield state.value;
          }
        },
      }),
    close: () => inner.close(),
  };
}

/** Looks at a job until it is through. A job that nobody waits for any more is cancelled. */
async function finished(
  inner: EngineWire,
  clock: Clock,
  first: JobState,
  signal: AbortSignal,
): Promise<unknown> {
  let state = first;
  while (state.kind === 'waiting') {
    const { id } = state;
    if (id === null)
      throw wireError('BAD_RESPONSE', `The job at ${inner.address} is waiting and has no id.`);
    try {
      await clock.sleep(POLL_MS, signal);
      const body = await inner.send({ method: 'GET', path: `/status/${id}` }, signal);
      state = unwrapAnswer(inner.address, body);
    } catch (error) {
      if (signal.aborted) await cancelJob(inner, id);
      throw error;
    }
  }
  return state.value;
}

async function cancelJob(inner: EngineWire, id: string): Promise<void> {
  const request: WireRequest = { method: 'POST', path: `/cancel/${id}`, body: {} };
  try {
    await inner.send(request, AbortSignal.timeout(CANCEL_LIMIT_MS));
  } catch {
    // The caller is told that its call was cancelled; the job ends by its own limit of time.
  }
}
