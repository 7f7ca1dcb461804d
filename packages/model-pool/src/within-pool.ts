import { HermesError, ModelError } from '@hermes/protocol';
import type { ModelPool, PoolCall } from './types.ts';

/** The events of a call, which holds a slot of its endpoint from before its start until after its end. */
export async function* withinPool<M, Event>(
  pool: ModelPool<M>,
  call: PoolCall,
  start: (model: M) => AsyncIterable<Event>,
): AsyncGenerator<Event> {
  let leave = (): void => undefined;
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  try {
    yield* start(await enter(pool, call, left));
  } finally {
    leave();
  }
}

/** Resolves with the slot's model; the slot is free again once `left` resolves. */
function enter<M>(pool: ModelPool<M>, call: PoolCall, left: Promise<void>): Promise<M> {
  return new Promise((resolve, reject) => {
    const hold = ({ model }: Readonly<{ model: M }>): Promise<void> => {
      resolve(model);
      return left;
    };
    pool.run(call, hold).catch((error: unknown) => reject(asModelError(error)));
  });
}

/** The limiter of a member cancels with an error of its own. */
function asModelError(error: unknown): unknown {
  if (!HermesError.isInstance(error) || error.code !== 'CANCELLED') return error;
  if (error.boundary === 'model') return error;
  return new ModelError('CANCELLED', error.message, { cause: error });
}
