import type { ChatResult, FinishReason } from '@hermes/protocol';
import type { GatewayEffects } from '../_effects.ts';
import type { GatewayBackend, SessionModel, SessionRequest } from '../types.ts';

/** A session of an agent: its model, and what is known of its calls. */
export class Session {
  readonly id: string;
  readonly toolParser: string | null;
  readonly model: SessionModel;
  readonly backend: GatewayBackend;
  readonly createdAtMs: number;
  /** Fires when the session ends: running calls end with it. */
  readonly ended: AbortSignal;
  readonly #end = new AbortController();
  readonly #clock: GatewayEffects['clock'];
  readonly #finishes = new Map<number, FinishReason>();
  #calls = 0;
  #running = 0;
  #lastUsedMs: number;

  constructor(
    { sessionId, toolParser }: SessionRequest,
    model: SessionModel,
    backend: GatewayBackend,
    clock: GatewayEffects['clock'],
  ) {
    const { wallMs, monoMs } = clock.now();
    this.id = sessionId;
    this.toolParser = toolParser;
    this.model = model;
    this.backend = backend;
    this.createdAtMs = wallMs;
    this.ended = this.#end.signal;
    this.#clock = clock;
    this.#lastUsedMs = monoMs;
  }

  /** Calls so far. */
  get calls(): number {
    return this.#calls;
  }

  /** How long nobody called; 0 while a call runs. */
  idleMs(): number {
    return this.#running > 0 ? 0 : this.#clock.now().monoMs - this.#lastUsedMs;
  }

  /** Counts a call for as long as `work` takes. `turn` is 1-based. */
  async during<Value>(work: (turn: number) => Promise<Value>): Promise<Value> {
    this.#calls += 1;
    this.#running += 1;
    try {
      return await work(this.#calls);
    } finally {
      this.#running -= 1;
      this.#lastUsedMs = this.#clock.now().monoMs;
    }
  }

  /** Remembers why the last answer of a segment ended. */
  note(results: readonly ChatResult[]): void {
    for (const { tokens, finishReason } of results)
      if (tokens !== null) this.#finishes.set(tokens.segment, finishReason);
  }

  /** null = the segment has no answer yet. */
  finishOf(segment: number): FinishReason | null {
    return this.#finishes.get(segment) ?? null;
  }

  async end(): Promise<void> {
    this.#end.abort('the session was ended');
    await this.model.close?.();
  }
}
