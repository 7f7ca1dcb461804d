import type { Clock, Random } from '../effects.ts';
import type { ChatModel, ChatRequest, ModelCallContext, ModelCapabilities } from '../model.ts';
import { play, throwIfAborted } from './_play.ts';
import { fakeClock } from './fake-clock.ts';
import { answerOf, type Script } from './script.ts';

/** A call that was made to a scripted model. */
export type RecordedCall = Readonly<{ request: ChatRequest; context: ModelCallContext }>;

/** A model that plays a script and remembers what it was asked. */
export interface ScriptedModel extends ChatModel {
  readonly calls: readonly RecordedCall[];
  /** Whether `close` was called. */
  readonly closed: boolean;
  close(): Promise<void>;
}

/** How long a model takes to answer: drawn evenly from the range. */
export type Latency = Readonly<{ minMs: number; maxMs: number; random: Random }>;

/** Options of `scriptedModel`. */
export type ScriptedModelOptions = Readonly<{
  /** Default `scripted`. */
  modelId?: string;
  /** Default: no token ids, no images, tool choice, streaming, context size not known. */
  capabilities?: Partial<ModelCapabilities>;
  /** Stamps attempts and times the latency; default a fake clock that never moves. */
  clock?: Clock;
  /** Waits before each answer, drawn evenly from the range. Default none. */
  latency?: Latency;
  /** Longest piece of a delta in UTF-16 units; default 16. Infinity: one delta a part; 0: none at all. */
  deltaLength?: number;
  /** False: forget the calls (for long benchmarks). Default true. */
  record?: boolean;
}>;

/**
 * A `ChatModel` that answers by a script: one turn for all calls, a list of turns, or a function.
 * It is shared and stateless but for its place in the list and the calls it remembers.
 */
export function scriptedModel(script: Script, options: ScriptedModelOptions = {}): ScriptedModel {
  const clock = options.clock ?? fakeClock();
  const { deltaLength = 16, latency } = options;
  const modelId = options.modelId ?? 'scripted';
  const calls: RecordedCall[] = [];
  let started = 0;
  let closed = false;
  return {
    specificationVersion: 'v1',
    provider: 'scripted',
    modelId,
    capabilities: { ...CAPABILITIES, ...options.capabilities },
    calls,
    get closed() {
      return closed;
    },
    chat: (request, context) =>
      play(async () => {
        const call = started;
        started += 1;
        if (options.record !== false) calls.push({ request, context });
        const { signal } = context;
        throwIfAborted(signal);
        const answer = await answerOf(script, request, context, call);
        return { answer, call, modelId, clock, deltaLength, latency, signal };
      }),
    async close() {
      closed = true;
    },
  };
}

const CAPABILITIES: ModelCapabilities = {
  tokenIds: false,
  images: false,
  toolChoice: true,
  streaming: true,
  contextTokens: null,
};
