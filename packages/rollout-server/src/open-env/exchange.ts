import { createLimiter } from '@hermes/env-core';
import { type ChatRequest, ModelError } from '@hermes/protocol';
import { unlessAborted } from '../_unless-aborted.ts';
import { type Deferred, deferred } from './_deferred.ts';
import type { Action } from './action.ts';

/** Where a rollout that asks and a trainer that answers meet: one question at a time, subagents in turn. */
export class Exchange {
  readonly #oneAtATime = createLimiter(1);
  #asked: Deferred<ChatRequest> = deferred();
  #answered: Deferred<Action> = deferred();

  /** The rollout's side: waits for the trainer. Throws a ModelError with code CANCELLED when the signal fires. */
  ask(request: ChatRequest, signal: AbortSignal): Promise<Action> {
    return this.#oneAtATime.run(() => {
      this.#asked.resolve(request);
      return unlessAborted(this.#answered.promise, signal).catch((cause: unknown) => {
        throw new ModelError('CANCELLED', 'No action came before the rollout ended.', { cause });
      });
    }, signal);
  }

  /** The trainer's side: resolves with the question that is open, or with the next one. */
  asked(): Promise<ChatRequest> {
    return this.#asked.promise;
  }

  /** Of the question that is open; the next one is then waited for. */
  answer(action: Action): void {
    const { resolve } = this.#answered;
    this.#asked = deferred();
    this.#answered = deferred();
    resolve(action);
  }
}
