import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Engine } from './engine.ts';
import { isMissing } from './engine-error.ts';

/** What is told of one container. */
export interface ContainerListener {
  /** exitCode null: not known. reason `lost`: the daemon does not answer any more. */
  onEnd(reason: 'exited' | 'lost', exitCode: number | null): void;
  onOom(): void;
}

const eventSchema = z.looseObject({
  Action: z.string(),
  Actor: z.looseObject({ ID: z.string(), Attributes: z.record(z.string(), z.string()).optional() }),
});

const OUTAGE_MS = 5000;
const RETRY_MS = 250;
const FILTERS = JSON.stringify({ type: ['container'], event: ['die', 'oom', 'destroy'] });

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
    this.#following ??= this.#follow();
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

  async #follow(): Promise<void> {
    const stream = await this.#engine.docker.getEvents({
      filters: FILTERS,
      abortSignal: this.#closed.signal,
    } as object);
    // It never keeps the process alive by itself.
    (stream as unknown as { socket?: { unref?: () => void } }).socket?.unref?.();
    void this.#read(stream).then(() => this.#again());
  }

  async #read(stream: NodeJS.ReadableStream): Promise<void> {
    let rest = '';
    try {
      for await (const chunk of stream) {
        const lines = (rest + String(chunk)).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) this.#tell(line);
      }
    } catch (cause) {
      // However the stream ended, the next step is the same: ask again, and look what was missed.
      if (!(cause instanceof Error)) throw cause;
    }
  }

  #tell(line: string): void {
    if (line.trim() === '') return;
    const { Action, Actor } = eventSchema.parse(JSON.parse(line));
    const listener = this.#listeners.get(Actor.ID);
    if (Action === 'oom') {
      listener?.onOom();
      return;
    }
    const code = Number(Actor.Attributes?.exitCode ?? Number.NaN);
    this.#listeners.delete(Actor.ID);
    listener?.onEnd('exited', Number.isNaN(code) ? null : code);
  }

  async #again(): Promise<void> {
    const start = performance.now();
    while (!this.#closed.signal.aborted) {
      try {
        await this.#follow();
        await this.#lookForMissed();
        return;
      } catch {
        // Why does not matter: whoever still needs the daemon learns it there.
        if (performance.now() - start > OUTAGE_MS) {
          this.#loseAll();
          return;
        }
      }
      await sleep(RETRY_MS, undefined, { ref: false });
    }
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
      const { State } = await this.#engine.docker.getContainer(id).inspect();
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
