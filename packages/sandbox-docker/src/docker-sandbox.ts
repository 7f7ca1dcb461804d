import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock, ResourceUsage, SandboxExitReason } from '@hermes/protocol';
import {
  type ByteChannel,
  type DriverSandbox,
  type ImageSpec,
  SandboxError,
  type SandboxInfo,
  type SandboxPorts,
  type SandboxRef,
} from '@hermes/sandbox';
import { ContainerChannels } from './container-channels.ts';
import { ContainerMeter } from './container-meter.ts';
import type { ContainerListener } from './container-watch.ts';
import type { GuardedSandbox } from './disk-guard.ts';
import type { Engine } from './engine.ts';
import { failureOf } from './engine-error.ts';
import { FALLBACK_PATH, programPath, STATE_DIR } from './places.ts';
import { publishedPorts } from './published-ports.ts';
import { infoOf, type SandboxRecord } from './sandbox-record.ts';
import { commitContainer } from './snapshot.ts';

export type DockerSandboxParts = Readonly<{
  engine: Engine;
  ref: SandboxRef;
  record: SandboxRecord;
  /** Whether it is to be started, by the first channel. */
  isNew: boolean;
  clock: Pick<Clock, 'now'>;
}>;

/** Between the supervisor's own end at the lifetime and ours. */
const LIFETIME_MARGIN_MS = 3000;
/** The events of an end come a little later than the end of the channel. */
const EVENT_MS = 2000;

/** The driver's side of one container. */
export class DockerSandbox implements DriverSandbox, ContainerListener, GuardedSandbox {
  readonly ref: SandboxRef;
  readonly stateDir: string = STATE_DIR;
  readonly supervisorPath?: string;
  readonly fallbackPath?: string;
  readonly env: Readonly<Record<string, string>>;
  readonly user?: string;
  readonly ports?: SandboxPorts;
  readonly #parts: DockerSandboxParts;
  readonly #channels: ContainerChannels;
  readonly #meter: ContainerMeter;
  readonly #gone = new AbortController();
  /** A little later than `gone`: what the daemon itself answers to an open question says more than that. */
  readonly #over = new AbortController();
  #reason: SandboxExitReason | null = null;

  constructor(parts: DockerSandboxParts) {
    const { engine, ref, record, isNew, clock } = parts;
    this.#parts = parts;
    this.#meter = new ContainerMeter({
      engine,
      id: ref.id,
      createdAtMs: record.createdAtMs,
      clock,
    });
    this.#channels = new ContainerChannels(engine, ref, !isNew);
    this.ref = ref;
    this.env = record.env;
    if (record.supervisor === 'go') this.supervisorPath = programPath(record.architecture);
    else this.fallbackPath = FALLBACK_PATH;
    if (record.user !== null) this.user = record.user;
    if (engine.publishedHost !== null) this.ports = publishedPorts(engine, ref.id);
  }

  get maxDiskBytes(): number | null {
    return this.#parts.record.maxDiskBytes;
  }

  get info(): SandboxInfo {
    return infoOf(this.#parts.record);
  }

  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** The program is the container's first process, which nothing inside can end or replace. */
  supervisorPid(): number | null {
    return this.#isRunning && this.#parts.record.supervisor === 'go' ? 1 : null;
  }

  async openChannel(
    argv: readonly [string, ...string[]],
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<ByteChannel> {
    this.gone.throwIfAborted();
    const given = signal === undefined ? [] : [signal];
    try {
      return await this.#channels.open(argv, AbortSignal.any([this.#over.signal, ...given]));
    } catch (cause) {
      await this.#checkEnd(cause);
      throw cause;
    }
  }

  async usage(): Promise<ResourceUsage | null> {
    return this.#isRunning ? this.#meter.usage() : null;
  }

  async oomKills(): Promise<number | null> {
    return this.#isRunning ? this.#meter.oomKills() : null;
  }

  async snapshot(name: string, signal?: AbortSignal): Promise<ImageSpec> {
    return commitContainer(this.#parts.engine, this.ref, name, signal);
  }

  /** Asked at once when the channel has ended; what ended it is told by an event that is still on its way then. */
  async exitReason(): Promise<SandboxExitReason> {
    await this.#eventOfEnd();
    return this.#reason ?? 'lost';
  }

  onOom(): void {
    this.#meter.countOom();
  }

  onEnd(reason: 'exited' | 'lost', exitCode: number | null): void {
    if (reason === 'lost') this.markGone('provider_error', 'the daemon does not answer');
    else
      this.markGone(this.#endReason(exitCode), `its container ended with ${exitCode ?? 'no code'}`);
  }

  /** Says that the sandbox has ended; the first reason stays. */
  markGone(reason: SandboxExitReason, how: string): void {
    if (this.#gone.signal.aborted) return;
    this.#reason = reason;
    const message = `sandbox ${this.ref.name ?? this.ref.id} is gone (${reason}): ${how}`;
    const error = new SandboxError('SANDBOX_GONE', 'sandbox', message);
    this.#gone.abort(error);
    this.#channels.close();
    setTimeout(() => this.#over.abort(error), EVENT_MS).unref();
  }

  get #isRunning(): boolean {
    return this.#channels.isStarted && !this.gone.aborted;
  }

  #endReason(exitCode: number | null): SandboxExitReason {
    const { record, clock } = this.#parts;
    const isOver = clock.now().wallMs >= record.expiresAtMs - LIFETIME_MARGIN_MS;
    if (isOver) return 'lifetime';
    return this.#meter.oomEvents > 0 && exitCode === 137 ? 'oom' : 'crashed';
  }

  /** A container that cannot be entered has ended, or is gone altogether. */
  async #checkEnd(cause: unknown): Promise<void> {
    const { status, message } = failureOf((cause as { cause?: unknown }).cause);
    if (status !== 404 && status !== 409) return;
    await this.#eventOfEnd();
    this.markGone('lost', message);
  }

  /** Resolves with the end's event, or when it should have come long ago. */
  async #eventOfEnd(): Promise<void> {
    await sleep(EVENT_MS, undefined, { signal: this.gone }).catch(() => undefined); // it came
  }
}
