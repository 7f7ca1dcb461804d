import type { Clock, ResourceUsage, SandboxExitReason } from '@hermes/protocol';
import {
  type ByteChannel,
  type DriverSandbox,
  SandboxError,
  type SandboxInfo,
  type SandboxPorts,
  type SandboxRef,
} from '@hermes/sandbox';
import { programChannel } from './channel.ts';
import type { Errands } from './errands.ts';
import { hostPorts } from './host-ports.ts';
import { readRemoteUsage } from './remote-cgroups.ts';
import type { RemoteHost } from './remote-host.ts';
import { markedCommand, skipGreeting } from './remote-shell.ts';
import { infoOf, type SandboxRecord } from './sandbox-record.ts';
import { JOIN, START } from './scripts/start-supervisor.ts';
import type { SessionPool } from './session-pool.ts';
import type { ResolvedSshSettings } from './settings.ts';

type Argv = readonly [string, ...string[]];

export type SshSandboxParts = Readonly<{
  host: RemoteHost;
  record: SandboxRecord;
  /** The supervisor's process; null: the first channel starts it. */
  supervisorPid: number | null;
  pool: SessionPool;
  /** For what is asked beside the channels. */
  errands: Errands;
  settings: Pick<ResolvedSshSettings, 'reconnectMs' | 'orphanMs' | 'connectTimeoutMs'>;
  clock: Pick<Clock, 'now'>;
  /** The supervisor did not come up. */
  onStartFailed: () => void;
}>;

/** Between the end of the lifetime as the harness sees it, which then reads the usage for up to 5 s, and the supervisor's own. */
const LIFETIME_MARGIN_MS = 6000;

/** The driver's side of one sandbox: the first channel starts its supervisor, every later one joins it. */
export class SshSandbox implements DriverSandbox {
  readonly ref: SandboxRef;
  readonly stateDir: string;
  readonly supervisorPath?: string;
  readonly fallbackPath?: string;
  readonly env: Readonly<Record<string, string>>;
  readonly user?: string;
  readonly ports: SandboxPorts;
  readonly #parts: SshSandboxParts;
  readonly #folder: string;
  readonly #gone = new AbortController();
  readonly #channels = new Set<ByteChannel>();
  #pid: number | null;
  #isStarted: boolean;
  #reason: SandboxExitReason | null = null;
  #lossTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: SshSandboxParts) {
    const { host, record, pool } = parts;
    this.#parts = parts;
    this.#pid = parts.supervisorPid;
    this.#isStarted = parts.supervisorPid !== null;
    this.#folder = `${host.rootDir}/${record.ref.id}`;
    this.ref = record.ref;
    this.stateDir = `${this.#folder}/state`;
    this.env = environmentOf(this.ref.id, this.#folder, host.path);
    this.ports = hostPorts(() => pool.connection(), record.ports, this.gone);
    const program = `${host.rootDir}/bin/${record.program}`;
    if (program.endsWith('.sh')) this.fallbackPath = program;
    else this.supervisorPath = program;
    if (record.user !== null) this.user = record.user;
  }

  get info(): SandboxInfo {
    return infoOf(this.#parts.record, this.#folder);
  }

  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  supervisorPid(): number | null {
    return this.supervisorPath === undefined ? null : this.#pid;
  }

  async openChannel(
    argv: Argv,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<ByteChannel> {
    this.#gone.signal.throwIfAborted();
    if (!argv.includes(this.supervisorPath ?? this.fallbackPath ?? ''))
      throw this.#otherProgram(argv);
    const isFirst = !this.#isStarted;
    this.#isStarted = true;
    const { command, mark } = isFirst
      ? markedCommand(START, [...this.#startArguments(), ...argv, ...this.#limits()])
      : markedCommand(JOIN, argv);
    const raw = programChannel(await this.#parts.pool.exec(command, signal));
    return this.#adopt(raw, mark, isFirst, signal);
  }

  async usage(): Promise<ResourceUsage | null> {
    const { record, errands, clock } = this.#parts;
    if (record.cgroup === null) return null;
    const wallSeconds = (clock.now().wallMs - record.createdAtMs) / 1000;
    return readRemoteUsage(errands, record.cgroup, wallSeconds);
  }

  async exitReason(): Promise<SandboxExitReason> {
    const isOutOfMemory = this.#reason === 'crashed' && ((await this.usage())?.oomKills ?? 0) > 0;
    return isOutOfMemory ? 'oom' : (this.#reason ?? 'lost');
  }

  /** Says that the sandbox has ended; the first reason stays. */
  markGone(reason: SandboxExitReason, how: string): void {
    if (this.#reason !== null) return;
    clearTimeout(this.#lossTimer);
    this.#reason = reason;
    const message = `sandbox ${this.ref.id} is gone (${reason}): ${how}`;
    this.#gone.abort(new SandboxError('SANDBOX_GONE', 'sandbox', message));
    for (const channel of this.#channels) channel.destroy();
  }

  #otherProgram(argv: Argv): SandboxError {
    const message = `start ${argv[0]} over ssh: a channel is for the supervisor alone`;
    return new SandboxError('UNSUPPORTED', 'sandbox', message);
  }

  #startArguments(): readonly string[] {
    const { host, record } = this.#parts;
    return [this.info.workdir, this.#folder, host.boot, record.ref.id];
  }

  /** The script has no clock of its own: it ends with its channel. */
  #limits(): readonly string[] {
    if (this.supervisorPath === undefined) return [];
    const { record, settings, clock } = this.#parts;
    const left = Math.max(1, Math.ceil(record.expiresAtMs - clock.now().wallMs));
    const lifetime = String(left + LIFETIME_MARGIN_MS);
    return ['--orphan-ms', String(settings.orphanMs), '--lifetime-ms', lifetime];
  }

  async #adopt(
    raw: ByteChannel,
    mark: string,
    isFirst: boolean,
    signal: AbortSignal | undefined,
  ): Promise<ByteChannel> {
    const stop = () => raw.destroy();
    const late = AbortSignal.timeout(this.#parts.settings.connectTimeoutMs);
    const ends = AbortSignal.any([late, ...(signal === undefined ? [] : [signal])]);
    ends.addEventListener('abort', stop, { once: true });
    try {
      const { line, channel } = await skipGreeting(raw, mark);
      if (isFirst) this.#pid = Number(line);
      this.#watch(channel, isFirst);
      return channel;
    } catch (cause) {
      raw.destroy();
      if (isFirst) this.#parts.onStartFailed();
      throw late.aborted ? startedLate(this.#parts.settings.connectTimeoutMs) : cause;
    } finally {
      ends.removeEventListener('abort', stop);
    }
  }

  /** The end of the supervisor is the sandbox's; that of a connection only when it does not come back in time. */
  #watch(channel: ByteChannel, isSupervisor: boolean): void {
    clearTimeout(this.#lossTimer);
    this.#channels.add(channel);
    void channel.closed.then(({ exitCode, error }) => {
      this.#channels.delete(channel);
      const how = error ?? `its supervisor ended with ${exitCode}`;
      if (isSupervisor && error !== CONNECTION_ENDED) this.markGone(this.#endReason(), how);
      else if (this.#channels.size === 0) this.#awaitReturn(how);
    });
  }

  #endReason(): SandboxExitReason {
    const { record, clock } = this.#parts;
    return clock.now().wallMs >= record.expiresAtMs ? 'lifetime' : 'crashed';
  }

  #awaitReturn(how: string): void {
    const { reconnectMs } = this.#parts.settings;
    clearTimeout(this.#lossTimer);
    this.#lossTimer = setTimeout(
      () => this.markGone('lost', `${how}, and none came up within ${reconnectMs} ms`),
      reconnectMs,
    ).unref();
  }
}

const CONNECTION_ENDED = 'the connection ended';

function startedLate(timeoutMs: number): SandboxError {
  const message = `open a channel over ssh: the supervisor did not start within ${timeoutMs} ms`;
  return new SandboxError('TRANSPORT', 'sandbox', message, { retryable: true });
}

function environmentOf(id: string, folder: string, path: string): Record<string, string> {
  return {
    HERMES_SANDBOX: id,
    HOME: `${folder}/home`,
    TMPDIR: `${folder}/tmp`,
    ...(path === '' ? {} : { PATH: path }),
  };
}
