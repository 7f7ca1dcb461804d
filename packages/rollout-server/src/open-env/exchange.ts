import { createLimiter } from '@hermes/env-core';
import { type ChatRequest, ModelError } from '@hermes/protocol';
import { unlessAborted } from '../_unless-aborted.ts';
import { type Deferred, deferred } from './_deferred.ts';
import type { Action } from './action.ts';

/** What a rollout asks, and where its answer goes. */
export type Question = Readonly<{ request: ChatRequest; answered: Deferred<Action> }>;

/** Where a rollout that asks and a trainer that answers meet: one question at a time, subagents in turn. */
export class Exchange {
  readonly #oneAtATime = createLimiter(1);
  #open: Question | null = null;
  #asked: Deferred<Question> = deferred();

  /** The rollout's side: waits for the trainer. Throws a ModelError with code CANCELLED when the signal fires. */
  ask(request: ChatRequest, signal: AbortSignal): Promise<Action> {
    return this.#oneAtATime.run(() => {
      const question: Question = { request, answered: deferred() };
      this.#open = question;
      this.#asked.resolve(question);
      return unlessAborted(question.answered.promise, signal).catch((cause: unknown) => {
        this.#close(question);
        throw new ModelError('CANCELLED', 'No action came before the rollout ended.', { cause });
      });
    }, signal);
  }

  /** The trainer's side: resolves with the question that is open, or with the next one. */
  asked(): Promise<Question> {
    return this.#asked.promise;
  }

  /** The next question is then waited for. The answer to one that was given up goes nowhere, and to no other question. */
  answer(question: Question, action: Action): void {
    this.#close(question);
    question.answered.resolve(action);
  }

  #close(question: Question): void {
    if (this.#open !== question) return;
    this.#open = null;
    this.#asked = deferred();
  }
}
