import type { ChatEvent, ChatRequest, ChatResult, ModelCallContext } from '@hermes/protocol';
import { ModelError } from '@hermes/protocol';
import type { ManagedSession } from '../types.ts';
import { answerRequest, idsToSend, type SharedParts } from './answer-request.ts';
import { type Segment, segmentSnapshot } from './segment.ts';

/** What a session remembers. */
export type SessionState = {
  /** All segments, in order of opening. */
  readonly segments: Segment[];
  /** Segments before this one are not gone on with. */
  firstLive: number;
};

/** A session of a managed server: the `ChatModel` of one rollout. */
export function createManagedSession(shared: SharedParts, rolloutId: string): ManagedSession {
  const state: SessionState = { segments: [], firstLive: 0 };
  const closed = new AbortController();
  const ends = AbortSignal.any([shared.ended, closed.signal]);
  const within = (context: ModelCallContext): ModelCallContext => ({
    ...context,
    signal: AbortSignal.any([context.signal, ends]),
  });
  const { engine, contextTokens } = shared;
  return {
    specificationVersion: 'v1',
    provider: engine.id,
    modelId: engine.modelId,
    rolloutId,
    capabilities: {
      tokenIds: true,
      images: false,
      toolChoice: true,
      streaming: engine.capabilities.streaming,
      contextTokens,
    },
    chat: (request, context) => chat(shared, state, request, within(context)),
    choices: (request, count, context) =>
      choices(shared, state, request, checkedCount(count), within(context)),
    promptIds: (request, invocationId) => idsToSend(shared, state, request, invocationId),
    segments: () => state.segments.map(segmentSnapshot),
    reset() {
      state.firstLive = state.segments.length;
    },
    async close() {
      closed.abort('the session was closed');
    },
  };
}

async function* chat(
  shared: SharedParts,
  state: SessionState,
  request: ChatRequest,
  context: ModelCallContext,
): AsyncGenerator<ChatEvent> {
  const [result] = yield* answerRequest(shared, state, { request, context, count: 1 });
  if (result !== undefined) yield { type: 'result', result };
}

async function choices(
  shared: SharedParts,
  state: SessionState,
  request: ChatRequest,
  count: number,
  context: ModelCallContext,
): Promise<readonly ChatResult[]> {
  const events = answerRequest(shared, state, { request, context, count });
  let event = await events.next();
  while (!event.done) event = await events.next();
  return event.value;
}

function checkedCount(count: number): number {
  if (Number.isSafeInteger(count) && count >= 1) return count;
  throw new ModelError('BAD_REQUEST', `The number of choices has to be from 1 on, not ${count}.`);
}
