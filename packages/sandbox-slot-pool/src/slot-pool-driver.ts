import {
  type Capabilities,
  type CreateOptions,
  type DriverSandbox,
  type LabelFilter,
  type PreflightReport,
  type SandboxDriver,
  SandboxError,
  type SandboxProvider,
  type SandboxRef,
  type SandboxSpec,
} from '@hermes/sandbox';
import { unsupported } from '@hermes/sandbox/host';
import type { PoolEffects } from './_effects.ts';
import { slotCapabilities } from './capabilities.ts';
import { hostKind } from './host-kind.ts';
import { HostOpener } from './host-opener.ts';
import { POOL_LABEL } from './inner-spec.ts';
import type { Lease } from './lease.ts';
import type { SlotPoolStats } from './pool-stats.ts';
import { preflightSlots } from './preflight.ts';
import type { ResolvedSettings } from './settings.ts';
import { planSlot, type SlotConfig, type SlotShape } from './slot-config.ts';
import { SlotPool } from './slot-pool.ts';
import { SlotSandbox } from './slot-sandbox.ts';

const TRAJECTORY_LABEL = 'hermes.trajectory';

/** Sandboxes as slots of another provider's sandboxes. */
export class SlotPoolDriver implements SandboxDriver {
  readonly id = 'slot-pool';
  readonly #inner: SandboxProvider;
  readonly #settings: ResolvedSettings;
  readonly #effects: PoolEffects;
  readonly #pool: SlotPool;
  readonly #opener: HostOpener;
  readonly #open = new Map<string, SlotSandbox>();
  readonly #keys = new Map<string, string>();

  constructor(inner: SandboxProvider, settings: ResolvedSettings, effects: PoolEffects) {
    this.#inner = inner;
    this.#settings = settings;
    this.#effects = effects;
    this.#opener = new HostOpener(inner, settings, effects);
    const openHost = this.#opener.open.bind(this.#opener);
    this.#pool = new SlotPool({ ...settings, ...effects, openHost });
  }

  get capabilities(): Capabilities {
    return slotCapabilities(this.#inner.capabilities, this.#settings, this.#opener.probe);
  }

  stats(): SlotPoolStats {
    return this.#pool.stats();
  }

  preflight(signal?: AbortSignal): Promise<PreflightReport> {
    return preflightSlots({
      inner: this.#inner,
      settings: this.#settings,
      capabilities: () => this.capabilities,
      acquire: () => this.#pool.acquire(hostKind({}, this.#settings), 1, { signal }),
      release: (lease, isClean) => this.#pool.release(lease, isClean),
      signal,
    });
  }

  async create(spec: SandboxSpec, { signal, onProgress }: CreateOptions): Promise<DriverSandbox> {
    this.#claimKey(spec.idempotencyKey);
    try {
      onProgress?.({ phase: 'create', message: 'waiting for a slot' });
      this.#opener.nameRun(spec.labels['hermes.run']);
      const kind = hostKind(spec, this.#settings);
      const isHolder = this.#holdsSlot(spec.labels[TRAJECTORY_LABEL]);
      const lease = await this.#pool.acquire(kind, spec.lifetimeMs, { signal, isHolder });
      return this.#adopt(lease, spec);
    } catch (cause) {
      this.#keys.delete(spec.idempotencyKey);
      throw cause;
    }
  }

  async attach({ id }: SandboxRef): Promise<DriverSandbox> {
    throw unsupported(
      `attach to slot ${id}: a slot lives no longer than the process that leased it`,
    );
  }

  /** The leases of this process, and the inner sandboxes of pools, with whatever is in those of dead ones. */
  async *list(_filter: LabelFilter): AsyncIterable<SandboxRef> {
    for (const { ref } of this.#open.values()) yield ref;
    for await (const ref of this.#inner.list())
      if (ref.labels[POOL_LABEL] !== undefined) yield { ...ref, provider: this.id };
  }

  async destroy(ref: SandboxRef): Promise<void> {
    const slot = this.#open.get(ref.id);
    if (slot !== undefined) return this.#release(slot);
    if (ref.labels[POOL_LABEL] !== undefined && !isSlotId(ref.id))
      await this.#inner.destroy({ ...ref, provider: this.#inner.id });
  }

  async close(): Promise<void> {
    await this.#pool.close();
    await this.#inner.close();
  }

  /** A rollout whose verifier wants a sandbox of its own still holds the agent's. */
  #holdsSlot(trajectory: string | undefined): boolean {
    if (trajectory === undefined) return false;
    return [...this.#open.values()].some(({ ref }) => ref.labels[TRAJECTORY_LABEL] === trajectory);
  }

  #claimKey(key: string): void {
    const owner = this.#keys.get(key);
    if (owner === undefined) return void this.#keys.set(key, 'coming');
    const message = `create a slot: a sandbox of the same key is there (${owner})`;
    throw new SandboxError('CONFIG', 'request', message);
  }

  #adopt(lease: Lease, spec: SandboxSpec): SlotSandbox {
    try {
      const { shape, unmetLimits } = planSlot(lease, spec, this.#settings);
      const slot = lease.host.slots.take(shape);
      const ref = this.#refOf(lease, spec);
      const { clock } = this.#effects;
      const hasImage = spec.image !== undefined;
      const { lifetimeMs } = spec;
      const fixed = { lease, slot, unmetLimits, ref, lifetimeMs, hasImage, clock };
      const sandbox = new SlotSandbox(fixed);
      this.#open.set(ref.id, sandbox);
      this.#keys.set(spec.idempotencyKey, ref.id);
      sandbox.gone.addEventListener('abort', () => this.#keys.delete(spec.idempotencyKey));
      return sandbox;
    } catch (cause) {
      this.#pool.release(lease, true);
      throw cause;
    }
  }

  #refOf(lease: Lease, spec: SandboxSpec): SandboxRef {
    const id = `hermes-slot-${this.#effects.poolId}-${lease.name}`;
    return { provider: this.id, id, name: id, labels: spec.labels };
  }

  /** The slot is free again once it is proved that nothing is left; in a sandbox that is gone nothing can be. */
  async #release(slot: SlotSandbox): Promise<void> {
    this.#open.delete(slot.ref.id);
    const { lease, config } = slot;
    await slot.end();
    const remains = lease.gone.aborted ? null : await lease.host.findRemains(config);
    const isNext = remains === null && !lease.gone.aborted && this.#pool.isReused(lease);
    if (isNext) lease.host.slots.prepare(shapeOf(config));
    this.#pool.release(lease, remains === null);
    if (remains === null || lease.gone.aborted) return;
    const fields = { slot: slot.ref.id, remains };
    this.#effects.logger.log('warn', 'a slot is not clean and will not be used again', fields);
  }
}

function shapeOf({ name: _name, ...shape }: SlotConfig): SlotShape {
  return shape;
}

function isSlotId(id: string): boolean {
  return id.startsWith('hermes-slot-');
}
