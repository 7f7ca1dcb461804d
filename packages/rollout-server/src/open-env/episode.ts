import type { Message, RolloutRecord } from '@hermes/protocol';
import type { ServerContext } from '../context.ts';
import { Refusal } from '../http/refusal.ts';
import { refusalOf } from '../http/refusal-of.ts';
import { type ActionBody, readAction } from './action.ts';
import { Exchange, type Question } from './exchange.ts';
import { lastObservationOf, type Observation, observationOf } from './observation.ts';
import type { ResetRequest } from './reset-request.ts';
import { type StartedRollout, startRollout } from './start-rollout.ts';

/** As OpenEnv's `state` has it, with our names beside. What is null is not known before the first reset. */
export type EpisodeState = Readonly<{
  episode_id: string | null;
  step_count: number;
  environment: string | null;
  item_id: string | null;
  done: boolean;
}>;

/** One rollout whose answers come from a trainer. */
export class Episode {
  readonly id: string;
  readonly #exchange = new Exchange();
  readonly #end = new AbortController();
  #rollout: StartedRollout | null = null;
  #known: readonly Message[] = [];
  #steps = 0;
  /** What the trainer is to answer; null = nothing now. */
  #question: Question | null = null;
  #isDone = false;

  constructor(id: string) {
    this.id = id;
  }

  /** Resolves with the rollout's first question. Throws a Refusal for a request that cannot be served, and for a rollout that fails before it asks. */
  async start(context: ServerContext, request: ResetRequest): Promise<Observation> {
    const signal = AbortSignal.any([this.#end.signal, context.closing]);
    const starting = startRollout(context, request, this.#exchange, signal);
    this.#rollout = await starting.catch((error: unknown) => {
      this.#isDone = true;
      const { status, message } = refusalOf(error);
      throw status < 500 ? error : cannotBegin(this.id, message);
    });
    const observation = await this.#observe(this.#rollout);
    const { error } = observation.observation;
    if (error === null) return observation;
    signal.throwIfAborted();
    throw cannotBegin(this.id, `${error.reason}, ${error.cause}: ${error.message}`);
  }

  /** Hands over the trainer's answer; resolves with the next question, or with the end. Throws a Refusal where nothing was asked. */
  step(body: ActionBody): Promise<Observation> {
    if (this.#isDone) throw refused(this.id, 'is over: reset it');
    const question = this.#question;
    if (question === null || this.#rollout === null)
      throw refused(this.id, 'is at work: wait for its observation');
    const action = readAction(body, this.#steps);
    this.#steps += 1;
    this.#question = null;
    this.#known = [...this.#known, action.message];
    this.#exchange.answer(question, action);
    return this.#observe(this.#rollout);
  }

  state(): EpisodeState {
    return {
      episode_id: this.id,
      step_count: this.#steps,
      environment: this.#rollout?.environmentId ?? null,
      item_id: this.#rollout?.itemId ?? null,
      done: this.#isDone,
    };
  }

  /** Cancels what still runs and waits until all of it is gone. Idempotent. */
  async end(reason: string): Promise<void> {
    this.#end.abort(refused(this.id, `was ended: ${reason}`));
    this.#isDone = true;
    await this.#rollout?.record;
  }

  async #observe({ itemId, record }: StartedRollout): Promise<Observation> {
    const names = { episode_id: this.id, item_id: itemId };
    const next = await Promise.race([this.#exchange.asked(), record]);
    if (isRecord(next)) {
      this.#isDone = true;
      return lastObservationOf(names, next);
    }
    this.#question = next;
    const observation = observationOf(names, next.request, this.#known);
    this.#known = next.request.messages;
    return observation;
  }
}

function isRecord(value: object): value is RolloutRecord {
  return 'rolloutId' in value;
}

function cannotBegin(id: string, why: string): Refusal {
  return new Refusal(500, 'FACTORY_ERROR', `The episode ${id} could not begin: ${why}`);
}

function refused(id: string, how: string): Refusal {
  return new Refusal(409, 'EXECUTION_ERROR', `The episode ${id} ${how}.`);
}
