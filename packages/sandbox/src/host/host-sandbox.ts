import { userInfo } from 'node:os';
import type { Clock, ResourceUsage, SandboxExitReason } from '@hermes/protocol';
import { type ByteChannel, type DriverSandbox, SandboxError, type SandboxInfo } from '../types.ts';
import { createByteChannel, type PipedChild } from './byte-channel.ts';
import { readUsage } from './cgroup-usage.ts';
import { joinFiles } from './cgroups.ts';
import { guardDisk } from './disk-guard.ts';
import type { Argv, Layout } from './launcher.ts';
import { identifyProcess, isProcessAlive } from './process-table.ts';
import { type SandboxRecord, writeRecord } from './sandbox-record.ts';
import { startProcess } from './start-process.ts';

export type HostSandboxOptions = Readonly<{
  record: SandboxRecord;
  folder: string;
  /** How it is started; absent for one that runs already. */
  layout?: Layout;
  joinCommand: (argv: Argv, record: SandboxRecord) => Argv;
  /** Ends and removes it, because it fills the disk. */
  evict: () => Promise<void>;
  clock: Pick<Clock, 'now'>;
}>;

const LIFE_CHECK_MS = 1000;

/** The driver's side of one sandbox: the first channel starts its supervisor, every later one joins it. */
export class HostSandbox implements DriverSandbox {
  readonly ref: SandboxRecord['ref'];
  readonly supervisorPath?: string;
  readonly stateDir: string;
  readonly fallbackPath?: string;
  readonly env: Readonly<Record<string, string>>;
  readonly #options: HostSandboxOptions;
  readonly #gone = new AbortController();
  #record: SandboxRecord;
  #starting: Promise<ByteChannel> | null = null;
  #reason: SandboxExitReason | null = null;
  #lifeCheck: ReturnType<typeof setInterval> | undefined;
  #stopGuard: () => void = () => undefined;

  constructor(options: HostSandboxOptions) {
    const { ref, env, stateDir, supervisorPath, fallbackPath, supervisor } = options.record;
    this.#options = options;
    this.#record = options.record;
    this.ref = ref;
    this.env = env;
    this.stateDir = stateDir;
    if (supervisorPath !== undefined) this.supervisorPath = supervisorPath;
    if (fallbackPath !== undefined) this.fallbackPath = fallbackPath;
    // Another process started it: nobody tells us of its end, so we look.
    if (supervisor !== null) this.#watchFromOutside();
  }

  get info(): SandboxInfo {
    const { ref, isolation, workdir, createdAtMs, expiresAtMs } = this.#record;
    const user = String(userInfo().uid);
    const fixed = { provider: ref.provider, image: null, imageDigest: null, user, unmetLimits: [] };
    return { ...fixed, isolation, workdir, createdAtMs, expiresAtMs };
  }

  /** Joiners are processes of the host, and so see its numbers; a namespace's first process is the supervisor itself. */
  supervisorPid(): number | null {
    const { init, supervisor } = this.#record;
    return (init ?? supervisor)?.pid ?? null;
  }

  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  async openChannel(argv: Argv): Promise<ByteChannel> {
    this.#gone.signal.throwIfAborted();
    const { layout } = this.#options;
    if (layout === undefined) return this.#join(argv);
    if (this.#starting !== null) {
      await this.#starting;
      return this.#join(argv);
    }
    this.#starting = this.#start(argv, layout);
    return this.#starting;
  }

  async usage(): Promise<ResourceUsage | null> {
    const { cgroup, createdAtMs } = this.#record;
    if (cgroup === null) return null;
    return readUsage(cgroup, (this.#options.clock.now().wallMs - createdAtMs) / 1000);
  }

  async extend(ms: number): Promise<void> {
    await this.#save({ expiresAtMs: this.#record.expiresAtMs + ms });
  }

  async exitReason(): Promise<SandboxExitReason> {
    const isOutOfMemory = this.#reason === 'crashed' && ((await this.usage())?.oomKills ?? 0) > 0;
    return isOutOfMemory ? 'oom' : (this.#reason ?? 'lost');
  }

  /** Says that the sandbox has ended; the first reason stays. */
  markGone(reason: SandboxExitReason): void {
    this.#reason ??= reason;
    clearInterval(this.#lifeCheck);
    this.#stopGuard();
    const message = `sandbox ${this.ref.id} has ended (${this.#reason})`;
    this.#gone.abort(new SandboxError('SANDBOX_GONE', 'sandbox', message));
  }

  async #start(argv: Argv, layout: Layout): Promise<ByteChannel> {
    const { readInitPid } = layout;
    const { child, initPid } = await startProcess({
      argv: layout.start(argv, this.env),
      cwd: layout.startFolder ?? this.#options.folder,
      env: this.env,
      joinFiles: joinFiles(this.#record.cgroup),
      ...(readInitPid === undefined ? {} : { readInitPid }),
    });
    child.once('exit', () => this.markGone('crashed'));
    this.#stopGuard = guardDisk(this.#options.folder, () => this.#evict());
    await this.#save({ supervisor: await identify(child.pid), init: await identify(initPid) });
    return createByteChannel(child, () => undefined);
  }

  #evict(): void {
    this.markGone('evicted');
    // What could not be ended now is ended by dispose, which reports it.
    void this.#options.evict().catch(() => undefined);
  }

  async #join(argv: Argv): Promise<ByteChannel> {
    const { folder, joinCommand } = this.#options;
    const command = joinCommand(argv, this.#record);
    const { child } = await startProcess({
      argv: command,
      cwd: folder,
      env: this.env,
      joinFiles: [],
    });
    return createByteChannel(child, () => endProcess(child));
  }

  async #save(change: Partial<SandboxRecord>): Promise<void> {
    this.#record = { ...this.#record, ...change };
    await writeRecord(this.#options.folder, this.#record);
  }

  #watchFromOutside(): void {
    const check = async () => {
      if (!(await isProcessAlive(this.#record.supervisor))) this.markGone('lost');
    };
    this.#lifeCheck = setInterval(() => void check(), LIFE_CHECK_MS).unref();
  }
}

function identify(pid: number | null | undefined) {
  return pid === undefined || pid === null ? null : identifyProcess(pid);
}

function endProcess(child: PipedChild): void {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
}
