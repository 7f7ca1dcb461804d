import {
  type ChatEvent,
  HermesError,
  type ModelAttempt,
  type ModelCallContext,
  type TokenEvent,
} from '@hermes/protocol';
import { linkToLasting } from './_lasting-signal.ts';
import type { PooledModel } from './types.ts';

/** Told how the calls of a model go. */
export type CallWatcher = Readonly<{
  /** `startedMs`: on the pool's clock. */
  attempted: (attempt: ModelAttempt, startedMs: number) => void;
  succeeded: (context: ModelCallContext, durationMs: number, attempts: number) => void;
  /** Not called for a cancelled call, nor for one that its caller left. */
  failed: (code: string, startedMs: number) => void;
}>;

type Call = (request: never, context: ModelCallContext) => AsyncIterable<ChatEvent | TokenEvent>;

/** The same model, watched; its calls also end when `closing` fires. */
export function observeModel<M extends PooledModel>(
  model: M,
  watcher: CallWatcher,
  nowMs: () => number,
  closing: AbortSignal,
): M {
  const watch =
    (call: Call): Call =>
    (request, context) => {
      const start = (signal: AbortSignal) => call(request, { ...context, signal });
      return watchCall({ start, context, closing, watcher, nowMs });
    };
  // a proxy keeps whatever else a model has, its private fields too: methods run on the model itself;
  // it stands on an heir, since of a frozen object it could not give other functions
  const heir: M = Object.create(model);
  return new Proxy(heir, {
    get: (_heir, name) => {
      const value: unknown = Reflect.get(model, name, model);
      if (typeof value !== 'function') return value;
      const bound = value.bind(model);
      return name === 'chat' || name === 'generate' ? watch(bound) : bound;
    },
  });
}

type WatchedCall<Event> = Readonly<{
  start: (signal: AbortSignal) => AsyncIterable<Event>;
  context: ModelCallContext;
  closing: AbortSignal;
  watcher: CallWatcher;
  nowMs: () => number;
}>;

async function* watchCall<Event extends ChatEvent | TokenEvent>(
  call: WatchedCall<Event>,
): AsyncGenerator<Event> {
  const { start, context, closing, watcher, nowMs } = call;
  const { signal, unlink } = linkToLasting(closing, context.signal);
  const startedMs = nowMs();
  let attemptStartedMs = startedMs;
  let attempts = 0;
  try {
    for await (const event of start(signal)) {
      if (event.type === 'attempt_start') {
        attempts += 1;
        attemptStartedMs = nowMs();
      }
      if (event.type === 'attempt_end') watcher.attempted(event.attempt, attemptStartedMs);
      // told before the event is passed on: a caller may stop at the result
      if (event.type === 'result') {
        watcher.succeeded(context, nowMs() - startedMs, Math.max(attempts, 1));
      }
      yield event;
    }
  } catch (error) {
    const code = HermesError.isInstance(error) ? error.code : 'SERVER';
    if (code !== 'CANCELLED') watcher.failed(code, startedMs);
    throw error;
  } finally {
    unlink();
  }
}
