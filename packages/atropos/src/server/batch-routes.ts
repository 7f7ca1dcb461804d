import type { ReadyBatch } from '../queue/queue-state.ts';
import { refused } from './answer-of.ts';
import { type Answer, internalError, json } from './answers.ts';
import type { Counters } from './counters.ts';
import { isRefusal } from './refusal.ts';
import type { RouteContext } from './route.ts';
import type { TrajectoryQueue } from './trajectory-queue.ts';

export async function batch({ queue, counters }: RouteContext): Promise<Answer> {
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

export function latestExample({ queue: { state } }: RouteContext): Answer {
  if (state.latest === null) return json(emptyExample);
  if (!state.latest.isFinite) return internalError;
  return { status: 200, type: 'application/json', pieces: [state.latest.json] };
}
