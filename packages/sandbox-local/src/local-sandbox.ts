import { userInfo } from 'node:os';
import type { Clock, ResourceUsage, SandboxExitReason } from '@hermes/protocol';
import {
  type ByteChannel,
  type DriverSandbox,
  SandboxError,
  type SandboxInfo,
} from '@hermes/sandbox';
import { createByteChannel, type PipedChild } from './byte-channel.ts';
import { readUsage } from './cgroup-usage.ts';
import { joinFiles } from './cgroups.ts';
import type { Layout } from './layout.ts';
import { identifyProcess, isProcessAlive } from './process-table.ts';
import { type SandboxRecord, writeRecord } from './sandbox-record.ts';
import { startProcess } from './start-process.ts';

type Argv = readonly [string, ...string[]];

export type LocalSandboxOptions = Readonly<{
  record: SandboxRecord;
  folder: string;
  layout: Layout;
  clock: Pick<Clock, 'now'>;
}>;

const LIFE_CHECK_MS = 1000;

/** The driver's side of one sandbox: the first channel starts its supervisor, every later one joins it. */
export class LocalSandbox implements DriverSandbox {
  readonly ref: SandboxRecord['ref'];
  readonly supervisorPath?: string;
  readonly stateDir: string;
  readonly fallbackPath?: string;
  readonly env: Readonly<Record<string, string>>;
  readonly #options: LocalSandboxOptions;
  readonly #gone = new AbortController();
  #record: SandboxRecord;
  #starting: Promise<ByteChannel> | null = null;
  #reason: SandboxExitReason | null = null;
  #lifeCheck: ReturnType<typeof setInterval> | undefined;

  constructor(options: LocalSandboxOptions) {
    this.#options = options;
    this.#record = options.record;
    this.ref = options.record.ref;
    this.env = options.layout.env;
    this.stateDir = options.layout.stateDir;
    const { supervisorPath, fallbackPath } = options.layout;
    if (supervisorPath !== undefined) this.supervisorPath = supervisorPath;
    if (fallbackPath !== undefined) this.fallbackPath = fallbackPath;
    // Another process started it: nobody tells us of its end, so we look.
    if (options.record.supervisor !== null) this.#watchFromOutside();
  }

  get info(): SandboxInfo {
    const { ref, isolation, workdir, createdAtMs, expiresAtMs } = this.#record;
    const shown = isolation === 'bubblewrap' ? 'process' : 'none';
    const fixed = {
      provider: ref.provider,
      image: null,
      imageDigest: null,
      user: String(userInfo().uid),
    };
    return { ...fixed, isolation: shown, workdir, createdAtMs, expiresAtMs, unmetLimits: [] };
  }

  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  async openChannel(argv: Argv): Promise<ByteChannel> {
    this.#gone.signal.throwIfAborted();
    if (this.#record.supervisor !== null) return this.#join(argv);
    if (this.#starting !== null) {
      await this.#starting;
      return this.#join(argv);
    }
    this.#starting = this.#start(argv);
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
    const message = `sandbox ${this.ref.id} has ended (${this.#reason})`;
    this.#gone.abort(new SandboxError('SANDBOX_GONE', 'sandbox', message));
  }

  async #start(argv: Argv): Promise<ByteChannel> {
    const { folder, layout } = this.#options;
    const { isolation, cgroup } = this.#record;
    const isIsolated = isolation === 'bubblewrap';
    const { child, initPid } = await startProcess({
      argv: layout.start(argv),
      cwd: isIsolated ? folder : layout.workdir,
      env: layout.env,
      joinFiles: joinFiles(cgroup),
      hasStatusPipe: isIsolated,
    });
    child.once('exit', () => this.markGone('crashed'));
    await this.#save({
      supervisor: await identify(child.pid),
      init: initPid === null ? null : await identify(initPid),
    });
    return createByteChannel(child, () => undefined);
  }

  async #join(argv: Argv): Promise<ByteChannel> {
    const { folder, layout } = this.#options;
    const { child } = await startProcess({
      argv: layout.join(argv, this.#record),
      cwd: folder,
      env: layout.env,
      joinFiles: [],
      hasStatusPipe: false,
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

function identify(pid: number | undefined) {
  return pid === undefined ? null : identifyProcess(pid);
}

function endProcess(child: PipedChild): void {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
}
