import { setTimeout as sleep } from 'node:timers/promises';
import { type ContainerEvent, openEvents } from './daemon-events.ts';
import { daemonSilence } from './daemon-silence.ts';
import type { Engine } from './engine.ts';
import { isMissing } from './engine-error.ts';
import { ANSWER_MS, limited } from './limited.ts';

/** What is told of one container. */
export interface ContainerListener {
  /** exitCode null: not known. reason `lost`: the daemon does not answer any more. */
  onEnd(reason: 'exited' | 'lost', exitCode: number | null): void;
  onOom(): void;
}

const RETRY_MS = 250;

/** Follows the daemon's events for all containers of a driver, so that an end is known at once, also while a silent command runs. */
export class ContainerWatch {
  readonly #engine: Engine;
  readonly #listeners = new Map<string, ContainerListener>();
  readonly #closed = new AbortController();
  #following: Promise<void> | null = null;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Resolves when events are coming in: what ends from then on is told. */
  async add(id: string, listener: ContainerListener): Promise<void> {
    this.#listeners.set(id, listener);
    this.#following ??= this.#begin();
    try {
      await this.#following;
    } catch (cause) {
      this.#following = null;
      this.#listeners.delete(id);
      throw cause;
    }
  }

  remove(id: string): void {
    this.#listeners.delete(id);
  }

  close(): void {
    this.#closed.abort();
    this.#listeners.clear();
  }

  async #begin(): Promise<void> {
    const stop = new AbortController();
    const signal = AbortSignal.any([stop.signal, this.#closed.signal]);
    const events = await openEvents(this.#engine, signal);
    void this.#follow(events, signal);
    void daemonSilence(this.#engine, signal).then(() => {
      stop.abort();
      this.#loseAll();
    });
  }

  async #follow(first: AsyncIterable<ContainerEvent>, signal: AbortSignal): Promise<void> {
    for (let events = first; !signal.aborted; events = await this.#openAgain(signal))
      await this.#read(events);
  }

  async #read(events: AsyncIterable<ContainerEvent>): Promise<void> {
    try {
      for await (const event of events) this.#tell(event);
    } catch (cause) {
      // However they ended, the next step is the same: ask again, and look what was missed.
      if (!(cause instanceof Error)) throw cause;
    }
  }

  #tell(event: ContainerEvent): void {
    const listener = this.#listeners.get(event.id);
    if (event.kind === 'oom') {
      listener?.onOom();
      return;
    }
    this.#listeners.delete(event.id);
    listener?.onEnd('exited', event.exitCode);
  }

  /** Until the daemon is given up, which somebody else does. */
  async #openAgain(signal: AbortSignal): Promise<AsyncIterable<ContainerEvent>> {
    while (!signal.aborted) {
      await sleep(RETRY_MS, undefined, { ref: false });
      try {
        const events = await openEvents(this.#engine, signal);
        await this.#lookForMissed();
        return events;
      } catch (cause) {
        if (!(cause instanceof Error)) throw cause;
      }
    }
    return noEvents();
  }

  /** What ended while nobody listened. */
  async #lookForMissed(): Promise<void> {
    for (const [id, listener] of [...this.#listeners]) {
      if (await this.#isRunning(id)) continue;
      this.#listeners.delete(id);
      listener.onEnd('exited', null);
    }
  }

  async #isRunning(id: string): Promise<boolean> {
    try {
      const container = this.#engine.docker.getContainer(id);
      const { State } = await container.inspect({ abortSignal: limited(ANSWER_MS) });
      // One that is being made is not running yet.
      return State.Running || State.Status === 'created';
    } catch (cause) {
      if (isMissing(cause)) return false;
      throw cause;
    }
  }

  #loseAll(): void {
    this.#following = null;
    const listeners = [...this.#listeners.values()];
    this.#listeners.clear();
    for (const listener of listeners) listener.onEnd('lost', null);
  }
}

async function* noEvents(): AsyncGenerator<ContainerEvent> {}
