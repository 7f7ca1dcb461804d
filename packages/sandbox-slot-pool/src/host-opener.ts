import { createHash } from 'node:crypto';
import type { SandboxProvider } from '@hermes/sandbox';
import type { PoolEffects } from './_effects.ts';
import type { HostKind } from './host-kind.ts';
import { innerSpec } from './inner-spec.ts';
import type { ResolvedSettings } from './settings.ts';
import { SlotHost, type SlotProbe } from './slot-host.ts';

/** Starts inner sandboxes and makes them ready for slots. */
export class HostOpener {
  readonly #inner: SandboxProvider;
  readonly #settings: ResolvedSettings;
  readonly #effects: PoolEffects;
  #count = 0;
  #run: string | undefined;
  #probe: SlotProbe | null = null;

  constructor(inner: SandboxProvider, settings: ResolvedSettings, effects: PoolEffects) {
    this.#inner = inner;
    this.#settings = settings;
    this.#effects = effects;
  }

  /** What the last one was found to be able to keep; null: there was none yet. */
  get probe(): SlotProbe | null {
    return this.#probe;
  }

  /** The first run that asks for a slot is the one that later inner sandboxes are labelled with. */
  nameRun(run: string | undefined): void {
    this.#run ??= run;
  }

  /** Throws SandboxError; nothing is left then. */
  async open(kind: HostKind, lifetimeMs: number, signal: AbortSignal): Promise<SlotHost> {
    this.#count += 1;
    if (this.#count === 1 && this.#settings.reapOnStart) await this.#inner.reap();
    const sandbox = await this.#inner.create(this.#specOf(kind, lifetimeMs), { signal });
    try {
      const host = await SlotHost.prepare(sandbox, this.#settings, this.#effects.clock, signal);
      this.#probe = host.probe;
      return host;
    } catch (cause) {
      await sandbox.dispose('slots cannot be made in it');
      throw cause;
    }
  }

  #specOf(kind: HostKind, lifetimeMs: number): ReturnType<typeof innerSpec> {
    const { poolId } = this.#effects;
    const key = createHash('sha256').update(`${poolId} ${this.#count}`).digest('hex').slice(0, 24);
    return innerSpec(this.#inner.capabilities, this.#settings, {
      ...{ kind, lifetimeMs, poolId, idempotencyKey: `slots-${key}` },
      ...(this.#run === undefined ? {} : { run: this.#run }),
    });
  }
}
