import type { Clock, ResourceUsage, SandboxExitReason } from '@hermes/protocol';
import {
  type ByteChannel,
  type DriverSandbox,
  type Proc,
  SandboxError,
  type SandboxInfo,
  type SandboxPorts,
  type SandboxRef,
} from '@hermes/sandbox';
import type { Lease } from './lease.ts';
import { PRIVATE_DIR } from './places.ts';
import { procChannel } from './proc-channel.ts';
import type { SlotConfig, SlotPlan } from './slot-config.ts';
import { slotEnvironment } from './slot-environment.ts';
import { slotPorts } from './slot-ports.ts';

type Argv = readonly [string, ...string[]];

export type SlotSandboxParts = Readonly<{
  lease: Lease;
  plan: SlotPlan;
  ref: SandboxRef;
  lifetimeMs: number;
  /** Whether the sandbox asked for the image that it runs in. */
  hasImage: boolean;
  clock: Clock;
}>;

/** Between the end of the lifetime as the harness sees it and the supervisor's own. */
const LIFETIME_MARGIN_MS = 2000;
const ENDING_MS = 15_000;

/** The driver's side of one slot: its one channel starts it, and it ends with that channel. */
export class SlotSandbox implements DriverSandbox {
  readonly ref: SandboxRef;
  readonly info: SandboxInfo;
  readonly stateDir: string = `${PRIVATE_DIR}/state`;
  readonly supervisorPath: string = `${PRIVATE_DIR}/hermes-supervisor`;
  readonly env: Readonly<Record<string, string>>;
  readonly user?: string;
  readonly ports: SandboxPorts;
  readonly #parts: SlotSandboxParts;
  readonly #gone = new AbortController();
  #proc: Proc | null = null;
  #hasRun = false;
  #ended: Promise<void> = Promise.resolve();
  #reason: SandboxExitReason | null = null;

  constructor(parts: SlotSandboxParts) {
    const { lease, plan } = parts;
    this.#parts = parts;
    this.ref = parts.ref;
    this.info = infoOf(parts);
    this.env = slotEnvironment(lease.host);
    if (plan.config.user !== '') this.user = plan.config.user;
    const dial = async (port: number) => procChannel(await lease.host.dial(plan.config, port));
    this.ports = slotPorts(dial, this.gone);
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
    return this.#parts.plan.config;
  }

  async openChannel(
    [, ...words]: Argv,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<ByteChannel> {
    this.#gone.signal.throwIfAborted();
    if (this.#proc !== null) throw this.#goneError('its channel has ended');
    const limit = String(Math.ceil(this.#parts.lifetimeMs) + LIFETIME_MARGIN_MS);
    const all = [...words, '--orphan-ms', limit, '--lifetime-ms', limit];
    const proc = await this.#parts.lease.host.start(this.config, all, signal);
    this.#proc = proc;
    const channel = procChannel(proc);
    this.#ended = channel.closed.then(({ exitCode, error }) => {
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
    await this.#proc?.kill('KILL').catch(() => undefined); // it cannot be reached any more: nothing to kill
    const late = this.#parts.clock.sleep(ENDING_MS, this.gone).catch(() => undefined);
    await Promise.race([this.#ended, late]);
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

function infoOf({ lease, plan, lifetimeMs, hasImage, clock }: SlotSandboxParts): SandboxInfo {
  const { image, imageDigest } = lease.host.sandbox.info;
  // Who asked for none is told of none: what the image would have brought is not there.
  const shown = hasImage ? { image, imageDigest } : { image: null, imageDigest: null };
  const createdAtMs = clock.now().wallMs;
  return {
    ...{ provider: 'slot-pool', isolation: 'container', ...shown },
    workdir: plan.config.workdir,
    user: plan.config.user === '' ? 'root' : plan.config.user,
    createdAtMs,
    expiresAtMs: createdAtMs + lifetimeMs,
    unmetLimits: plan.unmetLimits,
  };
}
