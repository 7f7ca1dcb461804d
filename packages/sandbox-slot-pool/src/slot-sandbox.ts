import type { Clock, ResourceUsage, SandboxExitReason } from '@hermes/protocol';
import {
  type ByteChannel,
  type DriverSandbox,
  SandboxError,
  type SandboxInfo,
  type SandboxPorts,
  type SandboxRef,
} from '@hermes/sandbox';
import { forwardedPorts } from '@hermes/sandbox/host';
import { checkPort } from './check-port.ts';
import type { Lease } from './lease.ts';
import { PRIVATE_DIR, STATE_DIR } from './places.ts';
import { procChannel } from './proc-channel.ts';
import type { Slot } from './slot.ts';
import type { SlotConfig } from './slot-config.ts';
import { slotEnvironment } from './slot-environment.ts';
import { limitsLine } from './slot-host.ts';

type Argv = readonly [string, ...string[]];

export type SlotSandboxParts = Readonly<{
  lease: Lease;
  slot: Slot;
  unmetLimits: readonly string[];
  ref: SandboxRef;
  lifetimeMs: number;
  /** Whether the sandbox asked for the image that it runs in. */
  hasImage: boolean;
  clock: Clock;
}>;

/** Between the end of the lifetime as the harness sees it and the supervisor's own. */
const LIFETIME_MARGIN_MS = 2000;

/** The driver's side of one slot: its one channel starts it, and it ends with that channel. */
export class SlotSandbox implements DriverSandbox {
  readonly ref: SandboxRef;
  readonly info: SandboxInfo;
  readonly stateDir: string = STATE_DIR;
  readonly supervisorPath: string = `${PRIVATE_DIR}/hermes-supervisor`;
  readonly env: Readonly<Record<string, string>>;
  readonly user?: string;
  readonly ports: SandboxPorts;
  readonly #parts: SlotSandboxParts;
  readonly #gone = new AbortController();
  #isOpen = false;
  #hasRun = false;
  #reason: SandboxExitReason | null = null;

  constructor(parts: SlotSandboxParts) {
    const { lease, slot } = parts;
    this.#parts = parts;
    this.ref = parts.ref;
    this.info = infoOf(parts);
    this.env = slotEnvironment(lease.host);
    if (slot.config.user !== '') this.user = slot.config.user;
    const dial = async (port: number) => procChannel(await lease.host.dial(slot.config, port));
    this.ports = forwardedPorts({ check: checkPort, dial, gone: this.gone });
    const lost = () => this.markGone('lost', 'the sandbox that it was in is gone');
    if (lease.gone.aborted) lost();
    else lease.gone.addEventListener('abort', lost, { once: true, signal: this.gone });
  }

  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  get lease(): Lease {
    return this.#parts.lease;
  }

  get config(): SlotConfig {
    return this.#parts.slot.config;
  }

  /** The supervisor was started with the slot, perhaps long ago: its words are known. */
  async openChannel(
    _argv: Argv,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<ByteChannel> {
    this.#gone.signal.throwIfAborted();
    if (this.#isOpen) throw this.#goneError('its channel has ended');
    this.#isOpen = true;
    const channel = procChannel(await this.#parts.slot.begin(signal));
    const lifetimeMs = Math.ceil(this.#parts.lifetimeMs) + LIFETIME_MARGIN_MS;
    await channel.write(limitsLine(lifetimeMs));
    void channel.closed.then(({ exitCode, error }) => {
      const how = error ?? `its supervisor ended with ${exitCode}`;
      this.markGone(this.#endReason(), how);
    });
    return channel;
  }

  async usage(): Promise<ResourceUsage | null> {
    if (this.gone.aborted) return null;
    const { host } = this.#parts.lease;
    const { version, ...counters } = await host.usage(this.config);
    const wallSeconds = (this.#parts.clock.now().wallMs - this.info.createdAtMs) / 1000;
    const fixed = {
      diskBytes: null,
      scope: 'slot',
      source: `cgroup_v${version}`,
      exact: true,
    } as const;
    return { ...counters, wallSeconds, ...fixed };
  }

  /** The groups of a lease are its own: before its first process nothing was killed, and that is all that is asked then. */
  async oomKills(): Promise<number | null> {
    if (!this.#hasRun) {
      this.#hasRun = true;
      return 0;
    }
    return (await this.usage())?.oomKills ?? null;
  }

  async exitReason(): Promise<SandboxExitReason> {
    return this.#reason ?? 'lost';
  }

  /** Ends the slot with everything in it; resolves when its first process is gone, or can be waited for no longer. */
  async end(): Promise<void> {
    await this.#parts.slot.end();
    this.markGone('destroyed', 'it was destroyed');
  }

  /** Says that the slot has ended; the first reason stays. */
  markGone(reason: SandboxExitReason, how: string): void {
    if (this.#reason !== null) return;
    this.#reason = reason;
    this.#gone.abort(this.#goneError(how));
  }

  #endReason(): SandboxExitReason {
    const { clock } = this.#parts;
    return clock.now().wallMs >= this.info.expiresAtMs ? 'lifetime' : 'crashed';
  }

  #goneError(how: string): SandboxError {
    return new SandboxError('SANDBOX_GONE', 'sandbox', `slot ${this.ref.id} is gone: ${how}`);
  }
}

function infoOf(parts: SlotSandboxParts): SandboxInfo {
  const { lease, slot, unmetLimits, lifetimeMs, hasImage, clock } = parts;
  const { image, imageDigest } = lease.host.sandbox.info;
  // Who asked for none is told of none: what the image would have brought is not there.
  const shown = hasImage ? { image, imageDigest } : { image: null, imageDigest: null };
  const createdAtMs = clock.now().wallMs;
  return {
    ...{ provider: 'slot-pool', isolation: 'container', ...shown },
    workdir: slot.config.workdir,
    user: slot.config.user === '' ? 'root' : slot.config.user,
    createdAtMs,
    expiresAtMs: createdAtMs + lifetimeMs,
    unmetLimits,
  };
}
