import type { Clock } from '@hermes/protocol';
import type { ServerContext } from '../context.ts';
import { Refusal } from '../http/refusal.ts';
import type { ActionBody } from './action.ts';
import { Episode, type EpisodeState } from './episode.ts';
import type { Observation } from './observation.ts';
import type { ResetRequest } from './reset-request.ts';

/** Who is at the other end of a session that lives as long as its connection. */
export interface Peer {
  /** Asked at every heartbeat; true: nothing came since the last one. */
  isGone(): boolean;
  /** Tells the reason and hangs up. */
  close(reason: string): void;
}

/** What one trainer's client does: one episode after the other. */
export class Session {
  readonly id: string;
  /** null = it comes over HTTP, request by request. */
  readonly peer: Peer | null;
  readonly #clock: Clock;
  #episode: Episode | null = null;
  #running = 0;
  #lastUsedMs: number;
  #hasEnded = false;

  constructor(id: string, peer: Peer | null, clock: Clock) {
    this.id = id;
    this.peer = peer;
    this.#clock = clock;
    this.#lastUsedMs = clock.now().monoMs;
  }

  /** How long nobody asked anything; 0 while something is being answered. */
  idleMs(): number {
    return this.#running > 0 ? 0 : this.#clock.now().monoMs - this.#lastUsedMs;
  }

  /** Ends the episode before and begins another. */
  reset(context: ServerContext, request: ResetRequest): Promise<Observation> {
    return this.#during(async () => {
      const before = this.#episode;
      const episode = new Episode(request.episodeId ?? context.effects.newId('episode'));
      this.#episode = episode;
      await before?.end('another one began');
      if (this.#hasEnded) throw sessionError('The session has ended.');
      return episode.start(context, request);
    });
  }

  /** Throws a Refusal where there is no episode, or none that waits for an action. */
  step(body: ActionBody): Promise<Observation> {
    return this.#during(async () => {
      if (this.#episode === null) throw sessionError('There is no episode: reset first.');
      return this.#episode.step(body);
    });
  }

  state(): EpisodeState {
    this.#lastUsedMs = this.#clock.now().monoMs;
    return this.#episode?.state() ?? NO_EPISODE;
  }

  /** Idempotent. Waits until all that ran is gone. */
  async end(reason: string): Promise<void> {
    this.#hasEnded = true;
    this.peer?.close(reason);
    await this.#episode?.end(reason);
  }

  async #during<Value>(work: () => Promise<Value>): Promise<Value> {
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#lastUsedMs = this.#clock.now().monoMs;
    }
  }
}

const NO_EPISODE: EpisodeState = {
  episode_id: null,
  step_count: 0,
  environment: null,
  item_id: null,
  done: false,
};

function sessionError(message: string): Refusal {
  return new Refusal(409, 'SESSION_ERROR', message);
}
