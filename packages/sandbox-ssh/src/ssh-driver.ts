import type { Clock } from '@hermes/protocol';
import {
  type CreateOptions,
  type DriverSandbox,
  type LabelFilter,
  type PreflightReport,
  type SandboxDriver,
  SandboxError,
  type SandboxRef,
  type SandboxSpec,
} from '@hermes/sandbox';
import { sshCapabilities } from './capabilities.ts';
import { checkRoom } from './check-room.ts';
import { claimSandbox, isCapacity, isTaken } from './claim-sandbox.ts';
import { Errands } from './errands.ts';
import { describeHop } from './hop.ts';
import { describeHost, findProblem, noHost, noHostProblem } from './preflight.ts';
import { prepareHost, type RemoteHost } from './remote-host.ts';
import { isSandboxId, parseRecord, planRecord, type SandboxRecord } from './sandbox-record.ts';
import { END } from './scripts/end-sandbox.ts';
import { FIND, LIST } from './scripts/find-sandboxes.ts';
import { SessionPool } from './session-pool.ts';
import type { ResolvedSshSettings } from './settings.ts';
import { connect } from './ssh-connection.ts';
import { SshSandbox } from './ssh-sandbox.ts';

const systemClock: Pick<Clock, 'now'> = {
  now: () => ({ wallMs: Date.now(), monoMs: performance.now() }),
};

/** Errands are short; these connections are theirs alone, so that full ones cannot hinder the end of a sandbox. */
const ERRAND_CONNECTIONS = 2;
/** What may be promised of a host that was not reached yet. */
const UNKNOWN_HOST = { isRoot: false, kind: 'go', cgroups: null } as const;

/** Sandboxes as folders and process trees of one account on one host, which knows all there is of them. */
export class SshDriver implements SandboxDriver {
  readonly id = 'ssh';
  readonly #settings: ResolvedSshSettings;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #errands: Errands;
  readonly #sessions: SessionPool;
  readonly #open = new Map<string, SshSandbox>();
  #capabilities = sshCapabilities(UNKNOWN_HOST);
  #host: Promise<RemoteHost> | null = null;

  constructor(settings: ResolvedSshSettings, clock: Pick<Clock, 'now'> = systemClock) {
    const { hops, connections, sessionsPerConnection } = settings;
    this.#settings = settings;
    this.#clock = clock;
    const open = () => (hops === null ? Promise.reject(noHost()) : connect(hops, settings));
    const fixed = { connect: open, sessionsPerConnection };
    const errandPool = new SessionPool({ ...fixed, connections: ERRAND_CONNECTIONS });
    this.#errands = new Errands(errandPool, settings.connectTimeoutMs);
    this.#sessions = new SessionPool({ ...fixed, connections });
  }

  /** What the host can do, once it was reached. */
  get capabilities(): SandboxDriver['capabilities'] {
    return this.#capabilities;
  }

  /** Makes the host ready, so that the capabilities are the truth there. A failure is told by whatever is asked next. */
  async open(): Promise<void> {
    if (this.#settings.hops === null) return;
    this.#host = this.#prepare();
    await this.#host.catch(() => undefined);
  }

  async preflight(signal?: AbortSignal): Promise<PreflightReport> {
    const hop = this.#settings.hops?.at(-1);
    const { capabilities } = this;
    if (hop === undefined) return { ok: false, problems: [noHostProblem], capabilities };
    try {
      const host = await this.#prepared();
      await checkRoom(this.#errands, host.rootDir, signal);
      const summary = describeHost(hop, host);
      return { ok: true, summary, problems: [], capabilities: this.capabilities };
    } catch (cause) {
      const summary = `${describeHop(hop)} cannot be used`;
      return { ok: false, summary, problems: [findProblem(cause, hop)], capabilities };
    }
  }

  async create(spec: SandboxSpec, { signal, onProgress }: CreateOptions): Promise<DriverSandbox> {
    onProgress?.({ phase: 'create' });
    const host = await this.#prepared();
    const record = planRecord(spec, host, this.#clock.now().wallMs);
    try {
      await claimSandbox({ errands: this.#errands, host, record }, spec);
      signal?.throwIfAborted();
      return this.#adopt(host, record, null);
    } catch (cause) {
      // The host may have been emptied or set up anew meanwhile.
      if (isCapacity(cause)) this.#host = null;
      // What cannot be reached now is left to the reaper.
      if (!isTaken(cause)) await this.destroy(record.ref).catch(() => undefined);
      throw cause;
    }
  }

  async attach(ref: SandboxRef, signal?: AbortSignal): Promise<DriverSandbox> {
    const held = this.#open.get(ref.id);
    if (held !== undefined) return held;
    const host = await this.#prepared();
    if (!isSandboxId(ref.id)) throw gone(ref);
    const args = [host.rootDir, ref.id, host.boot];
    const { exitCode, output } = await this.#errands.run(FIND, { args, signal });
    const [line = '', pid] = output.split('\n');
    const record = exitCode === 0 ? parseRecord(line) : null;
    if (record === null) throw gone(ref);
    return this.#adopt(host, record, Number(pid));
  }

  async *list({ labels = {} }: LabelFilter): AsyncIterable<SandboxRef> {
    const { rootDir } = await this.#prepared();
    const { output } = await this.#errands.run(LIST, { args: [rootDir] });
    const wanted = Object.entries(labels);
    for (const line of output.split('\n')) {
      const record = parseRecord(line);
      if (record !== null && wanted.every(([name, value]) => record.ref.labels[name] === value))
        yield record.ref;
    }
  }

  async destroy(ref: SandboxRef): Promise<void> {
    this.#open.get(ref.id)?.markGone('destroyed', 'it was destroyed');
    this.#open.delete(ref.id);
    if (!isSandboxId(ref.id)) return;
    const { rootDir, boot } = await this.#prepared();
    const { exitCode, errors } = await this.#errands.run(END, {
      args: [rootDir, ref.id, boot],
    });
    if (exitCode === 0) return;
    const message = `remove sandbox ${ref.id} over ssh: ${errors}`;
    throw new SandboxError('SANDBOX_UNHEALTHY', 'sandbox', message, { retryable: true });
  }

  async close(): Promise<void> {
    this.#open.clear();
    this.#sessions.close();
    this.#errands.close();
  }

  /** Done once for all, so nobody's signal ends it; when it fails, again by the next who asks. */
  async #prepared(): Promise<RemoteHost> {
    const preparing = this.#host ?? this.#prepare();
    this.#host = preparing;
    try {
      return await preparing;
    } catch (cause) {
      if (this.#host === preparing) this.#host = null;
      throw cause;
    }
  }

  async #prepare(): Promise<RemoteHost> {
    const host = await prepareHost(this.#errands, this.#settings);
    this.#capabilities = sshCapabilities(host);
    return host;
  }

  #adopt(host: RemoteHost, record: SandboxRecord, supervisorPid: number | null): SshSandbox {
    const pools = { pool: this.#sessions, errands: this.#errands };
    const parts = { host, record, supervisorPid, ...pools };
    const sandbox = new SshSandbox({
      ...parts,
      settings: this.#settings,
      clock: this.#clock,
      // The host may have been emptied or set up anew meanwhile.
      onStartFailed: () => {
        this.#host = null;
      },
    });
    this.#open.set(record.ref.id, sandbox);
    sandbox.gone.addEventListener('abort', () => this.#open.delete(record.ref.id), { once: true });
    return sandbox;
  }
}

function gone({ id }: SandboxRef): SandboxError {
  return new SandboxError('SANDBOX_GONE', 'sandbox', `sandbox ${id} does not run any more`);
}
