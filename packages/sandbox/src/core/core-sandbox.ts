import type { ResourceUsage } from '@hermes/protocol';
import type {
  Capabilities,
  DriverSandbox,
  ExecRequest,
  ExecResult,
  Proc,
  Sandbox,
  SandboxFiles,
  SandboxInfo,
  SandboxOutcome,
  SandboxPorts,
  SandboxRef,
  SessionOptions,
  ShellSession,
} from '../types.ts';
import { SandboxError } from '../types.ts';
import { checkRequest } from './check-request.ts';
import { within } from './deadline.ts';
import { goneError, unsupported } from './errors.ts';
import type { ExecEngine } from './exec-engine.ts';
import type { ExecDefaults } from './exec-request.ts';
import type { Link } from './link.ts';
import type { SandboxEnd } from './sandbox-end.ts';
import { openSession } from './session.ts';
import type { CoreEffects } from './system-effects.ts';
import { readUsage } from './usage.ts';

const HEALTH_MS = 3000;

export type CoreSandboxParts = Readonly<{
  inner: DriverSandbox;
  link: Link;
  effects: CoreEffects;
  engine: ExecEngine;
  defaults: ExecDefaults;
  files: SandboxFiles;
  capabilities: Capabilities;
  unmetLimits: readonly string[];
  end: SandboxEnd;
  expiry: Expiry;
}>;

/** When the sandbox ends, on both clocks; `extend` moves it. */
export type Expiry = { wallMs: number; monoMs: number };

/** A sandbox over a driver's: what users see. */
export class CoreSandbox implements Sandbox {
  readonly ref: SandboxRef;
  readonly capabilities: Capabilities;
  readonly files: SandboxFiles;
  readonly gone: AbortSignal;
  readonly ports?: SandboxPorts;
  readonly snapshot?: NonNullable<Sandbox['snapshot']>;
  readonly #parts: CoreSandboxParts;

  constructor(parts: CoreSandboxParts) {
    const { inner } = parts;
    this.#parts = parts;
    this.ref = inner.ref;
    this.capabilities = parts.capabilities;
    this.files = parts.files;
    this.gone = parts.end.gone;
    if (inner.ports !== undefined) this.ports = inner.ports;
    if (inner.snapshot !== undefined) this.snapshot = inner.snapshot.bind(inner);
  }

  get info(): SandboxInfo {
    const { inner, unmetLimits, expiry } = this.#parts;
    const unmet = [...new Set([...unmetLimits, ...inner.info.unmetLimits])];
    return { ...inner.info, unmetLimits: unmet, expiresAtMs: expiry.wallMs };
  }

  async exec(request: ExecRequest): Promise<ExecResult> {
    checkRequest(request, this.capabilities, 'exec');
    return this.#parts.engine.exec(request);
  }

  async spawn(request: ExecRequest): Promise<Proc> {
    checkRequest(request, this.capabilities, 'spawn');
    return this.#parts.engine.spawn(request);
  }

  async session(options: SessionOptions = {}): Promise<ShellSession> {
    if (!this.capabilities.sessions) throw unsupported('open a session: not in this sandbox');
    if (options.user !== undefined && !this.capabilities.users)
      throw unsupported(`open a session as ${options.user}: this sandbox has one user`);
    return openSession({ ...this.#parts, clock: this.#parts.effects.clock }, options);
  }

  usage(): Promise<ResourceUsage | null> {
    return readUsage(this.#parts);
  }

  async health(signal?: AbortSignal): Promise<'ok' | 'degraded' | 'dead'> {
    const { end, link, effects } = this.#parts;
    if (end.ended || signal?.aborted) return end.ended ? 'dead' : 'degraded';
    const probe = await within(effects.clock, HEALTH_MS, link.probe()).catch(() => null);
    if (end.ended || probe === null) return 'dead';
    return probe.late ? 'degraded' : 'ok';
  }

  async extend(ms: number): Promise<void> {
    const { inner, expiry } = this.#parts;
    if (inner.extend === undefined)
      throw unsupported('extend a sandbox: its lifetime is fixed at this provider');
    if (!(ms > 0))
      throw new SandboxError('CONFIG', 'request', `extend by ${ms} ms: give more than 0`);
    await inner.extend(ms);
    expiry.wallMs += ms;
    expiry.monoMs += ms;
  }

  dispose(reason: string = 'disposed'): Promise<SandboxOutcome> {
    return this.#parts.end.finish('destroyed', goneError(`the sandbox is gone: ${reason}`));
  }

  /** Somebody else asked for its end: whoever holds it learns that by `gone`. */
  async destroyed(): Promise<void> {
    const outcome = await this.#parts.end.finish(
      'destroyed',
      goneError('the sandbox was destroyed'),
    );
    const failure = outcome.gaps.find((gap) => gap.code === 'destroy_failed');
    if (failure === undefined) return;
    const message = `destroy sandbox ${this.ref.id}: ${failure.detail ?? 'failed'}`;
    throw new SandboxError('SANDBOX_UNHEALTHY', 'sandbox', message, { retryable: true });
  }

  /** Lets go of the connection; the sandbox stays. */
  detach(): void {
    this.#parts.end.detach(goneError('the provider was closed'));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.dispose();
  }
}
