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
import type { SandboxCgroup } from '@hermes/sandbox/host';
import { cgroupUsage, engineUsage, findCgroup } from './container-usage.ts';
import type { ContainerListener } from './container-watch.ts';
import { type Engine, hijack } from './engine.ts';
import { engineError, failureOf, isMissing } from './engine-error.ts';
import { FALLBACK_PATH, programPath, STATE_DIR } from './places.ts';
import { programChannel } from './program-channel.ts';
import { publishedPorts } from './published-ports.ts';
import { infoOf, type SandboxRecord } from './sandbox-record.ts';
import { commitContainer } from './snapshot.ts';

type Argv = readonly [string, ...string[]];

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

/** The driver's side of one container: the first channel starts it, every later one joins its supervisor. */
export class DockerSandbox implements DriverSandbox, ContainerListener {
  readonly ref: SandboxRef;
  readonly stateDir: string = STATE_DIR;
  readonly supervisorPath?: string;
  readonly fallbackPath?: string;
  readonly env: Readonly<Record<string, string>>;
  readonly user?: string;
  readonly ports?: SandboxPorts;
  readonly #parts: DockerSandboxParts;
  readonly #gone = new AbortController();
  readonly #channels = new Set<ByteChannel>();
  #state: 'made' | 'running' | 'ended';
  #oomKills = 0;
  #reason: SandboxExitReason | null = null;
  #cgroup: Promise<SandboxCgroup | null> | null = null;

  constructor(parts: DockerSandboxParts) {
    const { engine, ref, record } = parts;
    this.#parts = parts;
    this.#state = parts.isNew ? 'made' : 'running';
    this.ref = ref;
    this.env = record.env;
    if (record.supervisor === 'go') this.supervisorPath = programPath(record.architecture);
    else this.fallbackPath = FALLBACK_PATH;
    if (record.user !== null) this.user = record.user;
    if (engine.publishedHost !== null) this.ports = publishedPorts(engine, ref.id);
  }

  get info(): SandboxInfo {
    return infoOf(this.#parts.record);
  }

  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** The program is the container's first process, which nothing inside can end or replace. */
  supervisorPid(): number | null {
    return this.#state === 'running' && this.#parts.record.supervisor === 'go' ? 1 : null;
  }

  async openChannel(
    argv: Argv,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<ByteChannel> {
    this.#gone.signal.throwIfAborted();
    const channel = await (this.#state === 'made' ? this.#start(signal) : this.#join(argv, signal));
    this.#channels.add(channel);
    void channel.closed.then(() => this.#channels.delete(channel));
    return channel;
  }

  async usage(): Promise<ResourceUsage | null> {
    const { engine, record, ref, clock } = this.#parts;
    if (this.#state !== 'running') return null;
    const wallSeconds = (clock.now().wallMs - record.createdAtMs) / 1000;
    const cgroup = await this.#findCgroup();
    return cgroup === null
      ? engineUsage(engine, ref.id, wallSeconds, this.#oomKills)
      : cgroupUsage(cgroup, wallSeconds);
  }

  /** Without the control groups at hand the daemon's events are counted. */
  async oomKills(): Promise<number | null> {
    if (this.#state !== 'running') return null;
    const cgroup = await this.#findCgroup();
    return cgroup === null ? this.#oomKills : ((await cgroupUsage(cgroup, 0))?.oomKills ?? null);
  }

  async snapshot(name: string, signal?: AbortSignal): Promise<ImageSpec> {
    return commitContainer(this.#parts.engine, this.ref, name, signal);
  }

  async exitReason(): Promise<SandboxExitReason> {
    return this.#reason ?? 'lost';
  }

  onOom(): void {
    this.#oomKills += 1;
  }

  onEnd(reason: 'exited' | 'lost', exitCode: number | null): void {
    if (reason === 'lost') this.markGone('provider_error', 'the daemon does not answer');
    else
      this.markGone(this.#endReason(exitCode), `its container ended with ${exitCode ?? 'no code'}`);
  }

  #endReason(exitCode: number | null): SandboxExitReason {
    const { record, clock } = this.#parts;
    const isOver = clock.now().wallMs >= record.expiresAtMs - LIFETIME_MARGIN_MS;
    if (isOver) return 'lifetime';
    return this.#oomKills > 0 && exitCode === 137 ? 'oom' : 'crashed';
  }

  /** Says that the sandbox has ended; the first reason stays. */
  markGone(reason: SandboxExitReason, how: string): void {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    this.#reason = reason;
    const message = `sandbox ${this.ref.name ?? this.ref.id} is gone (${reason}): ${how}`;
    this.#gone.abort(new SandboxError('SANDBOX_GONE', 'sandbox', message));
    for (const channel of this.#channels) channel.destroy();
  }

  /** The container's command is the supervisor's, given when it was made. */
  async #start(signal: AbortSignal | undefined): Promise<ByteChannel> {
    const { engine, ref } = this.#parts;
    const path = `/containers/${ref.id}/attach`;
    const query = { stream: true, stdin: true, stdout: true, stderr: true };
    const connection = await hijack(engine, { path, query, signal }).catch((cause) =>
      Promise.reject(engineError(cause, 'attach to a new container')),
    );
    const channel = programChannel(connection, async () => null);
    try {
      await engine.docker.getContainer(ref.id).start();
      this.#state = 'running';
      return channel;
    } catch (cause) {
      channel.destroy();
      throw startError(cause);
    }
  }

  async #join(argv: Argv, signal: AbortSignal | undefined): Promise<ByteChannel> {
    const { engine, ref } = this.#parts;
    const streams = { AttachStdin: true, AttachStdout: true, AttachStderr: true };
    try {
      const exec = await engine.docker
        .getContainer(ref.id)
        .exec({ ...streams, Tty: false, Cmd: [...argv], User: '0:0' });
      const path = `/exec/${exec.id}/start`;
      const body = { Detach: false, Tty: false };
      const stream = await hijack(engine, { path, body, signal });
      return programChannel(stream, async () => (await exec.inspect()).ExitCode);
    } catch (cause) {
      if (isMissing(cause) || failureOf(cause).status === 409)
        this.markGone('lost', failureOf(cause).message);
      throw engineError(cause, `open a channel to ${ref.name ?? ref.id}`);
    }
  }

  #findCgroup(): Promise<SandboxCgroup | null> {
    this.#cgroup ??= this.#askCgroup();
    return this.#cgroup;
  }

  async #askCgroup(): Promise<SandboxCgroup | null> {
    const { engine, ref } = this.#parts;
    const { State } = await engine.docker.getContainer(ref.id).inspect();
    return findCgroup(State.Pid, ref.id);
  }
}

/** The one thing of ours that an image may not be able to run is the supervisor. */
function startError(cause: unknown): SandboxError {
  const { message } = failureOf(cause);
  const known = engineError(cause, 'start a container');
  if (!/exec format|exec: /i.test(message)) return known;
  const text = `${known.message}; where the image cannot run the program, set supervisor: 'sh'`;
  return new SandboxError('SANDBOX_UNHEALTHY', 'sandbox', text, { cause });
}
