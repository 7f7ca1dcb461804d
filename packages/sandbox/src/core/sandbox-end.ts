import type { Gap, ResourceUsage, SandboxExitReason } from '@hermes/protocol';
import type { DriverSandbox, SandboxError, SandboxOutcome } from '../types.ts';
import { within } from './deadline.ts';
import { messageOf } from './errors.ts';
import type { Link } from './link.ts';
import type { CoreEffects } from './system-effects.ts';
import { readUsage } from './usage.ts';

const USAGE_MS = 5000;
const EXIT_REASON_MS = 5000;
const SHUTDOWN_GRACE_MS = 500;
const DESTROY_MS = 60_000;

export type SandboxEndParts = Readonly<{
  inner: DriverSandbox;
  /** Set once the link is open. */
  link: () => Link | null;
  effects: CoreEffects;
  destroy: () => Promise<void>;
  onEnd: () => void;
}>;

/** The end of one sandbox, whoever brings it: it happens once, in bounded time, and always has the same outcome. */
export class SandboxEnd {
  readonly #parts: SandboxEndParts;
  readonly #gone = new AbortController();
  readonly #stopped = new AbortController();
  #exitReason: Promise<SandboxExitReason> | null = null;
  #outcome: Promise<SandboxOutcome> | null = null;

  constructor(parts: SandboxEndParts) {
    this.#parts = parts;
  }

  /** Fires at any end of the sandbox itself; not when only the connection is let go. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** Fires at any end. */
  get stopped(): AbortSignal {
    return this.#stopped.signal;
  }

  get ended(): boolean {
    return this.#stopped.signal.aborted;
  }

  /** The supervisor cannot be reached any more. What is left is removed at dispose. */
  lost(error: SandboxError): void {
    if (this.ended) return;
    this.#exitReason = this.#askExitReason();
    this.#stop(error);
    this.#gone.abort(error);
  }

  /** Ends it, for this reason unless it had ended before. */
  finish(reason: SandboxExitReason, error: SandboxError): Promise<SandboxOutcome> {
    this.#exitReason ??= Promise.resolve(reason);
    this.#outcome ??= this.#run(this.#exitReason, error);
    return this.#outcome;
  }

  detach(error: SandboxError): void {
    this.#stop(error);
    this.#parts.link()?.lose(error);
  }

  #stop(error: SandboxError): void {
    this.#stopped.abort(error);
    this.#parts.onEnd();
  }

  async #run(reason: Promise<SandboxExitReason>, error: SandboxError): Promise<SandboxOutcome> {
    const usage = this.ended ? null : await this.#lastUsage();
    this.#stop(error);
    this.#gone.abort(error);
    const gaps: Gap[] = usage === null ? [{ code: 'sandbox_observation_unavailable' }] : [];
    await this.#parts.link()?.shutdown(SHUTDOWN_GRACE_MS, error);
    const failure = await this.#destroy();
    if (failure !== null) gaps.push({ code: 'destroy_failed', detail: failure });
    return { exitReason: await reason, usage, gaps };
  }

  async #lastUsage(): Promise<ResourceUsage | null> {
    const link = this.#parts.link();
    if (link === null) return null;
    const { clock } = this.#parts.effects;
    const read = await within(clock, USAGE_MS, readUsage({ ...this.#parts, link })).catch(
      () => null,
    );
    return read === null || read.late ? null : read.value;
  }

  /** Null when it is gone, else why it may not be. The reaper tries again. */
  async #destroy(): Promise<string | null> {
    const { effects, inner, destroy } = this.#parts;
    try {
      const done = await within(effects.clock, DESTROY_MS, destroy());
      if (!done.late) return null;
      throw new Error(`not done after ${DESTROY_MS / 1000} s`);
    } catch (cause) {
      const fields = { sandbox: inner.ref.id, error: messageOf(cause) };
      effects.logger.log('warn', 'a sandbox could not be removed', fields);
      return messageOf(cause);
    }
  }

  async #askExitReason(): Promise<SandboxExitReason> {
    const asked = this.#parts.inner.exitReason?.() ?? Promise.resolve('lost' as const);
    const answer = await within(this.#parts.effects.clock, EXIT_REASON_MS, asked).catch(() => null);
    return answer === null || answer.late ? 'lost' : answer.value;
  }
}
