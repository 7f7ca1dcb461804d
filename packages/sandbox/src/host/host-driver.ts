import type { Clock } from '@hermes/protocol';
import { unsupported } from '../core/errors.ts';
import { matchesLabels } from '../core/labels.ts';
import {
  type CreateOptions,
  type DriverSandbox,
  type LabelFilter,
  type SandboxDriver,
  SandboxError,
  type SandboxRef,
  type SandboxSpec,
} from '../types.ts';
import { endSandbox } from './end-sandbox.ts';
import { HostSandbox } from './host-sandbox.ts';
import { joinCommand } from './join-command.ts';
import type { Launcher, Layout } from './launcher.ts';
import { findGroups, lostRef } from './named-groups.ts';
import { claimSandbox, furnishSandbox, planSandbox } from './prepare-sandbox.ts';
import { isProcessAlive } from './process-table.ts';
import { listSandboxIds, sandboxFolder } from './sandbox-folders.ts';
import type { SandboxHost } from './sandbox-host.ts';
import { readRecord, type SandboxRecord } from './sandbox-record.ts';

const systemClock: Pick<Clock, 'now'> = {
  now: () => ({ wallMs: Date.now(), monoMs: performance.now() }),
};

/**
 * A driver for sandboxes that are folders and processes of this machine; the launcher says how they look. All that it
 * knows of them is on disk, so that any process of this user can list, join and destroy them. clock: for tests.
 */
export function createHostDriver(
  launcher: Launcher,
  host: SandboxHost,
  clock: Pick<Clock, 'now'> = systemClock,
): SandboxDriver {
  return new HostDriver(launcher, host, clock);
}

class HostDriver implements SandboxDriver {
  readonly id: string;
  readonly capabilities: SandboxDriver['capabilities'];
  readonly #launcher: Launcher;
  readonly #host: SandboxHost;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #open = new Map<string, HostSandbox>();

  constructor(launcher: Launcher, host: SandboxHost, clock: Pick<Clock, 'now'>) {
    this.id = launcher.id;
    this.capabilities = launcher.capabilities;
    this.#launcher = launcher;
    this.#host = host;
    this.#clock = clock;
  }

  async preflight(): ReturnType<SandboxDriver['preflight']> {
    const { capabilities, findings } = this.#launcher;
    return { ok: findings.problems.length === 0, ...findings, capabilities };
  }

  async create(spec: SandboxSpec, options: CreateOptions): Promise<DriverSandbox> {
    const [problem] = this.#launcher.findings.problems;
    if (problem !== undefined) throw unsupported(`${problem.message}; ${problem.fix}`);
    const nowMs = this.#clock.now().wallMs;
    const preparation = await planSandbox(this.#host, this.#launcher, spec, nowMs);
    await claimSandbox(this.#host, preparation);
    try {
      await furnishSandbox(preparation, spec);
      if (options.signal?.aborted)
        throw new SandboxError('CANCELLED', 'request', `create a sandbox at ${this.id}: cancelled`);
      return this.#adopt(preparation);
    } catch (error) {
      await this.destroy(preparation.record.ref);
      throw error;
    }
  }

  async attach(ref: SandboxRef): Promise<DriverSandbox> {
    const folder = sandboxFolder(this.#host.rootDir, ref.id);
    const record = folder === null ? null : await readRecord(folder, this.#host.bootId);
    if (folder === null || record === null || !(await isProcessAlive(record.supervisor))) {
      throw new SandboxError('SANDBOX_GONE', 'sandbox', `sandbox ${ref.id} does not run any more`);
    }
    return this.#adopt({ record, folder });
  }

  async *list({ labels = {} }: LabelFilter): AsyncIterable<SandboxRef> {
    // Before the folders: a sandbox that is made meanwhile has its folder before its groups.
    const groups = await findGroups(this.#host);
    const ids = await listSandboxIds(this.#host.rootDir);
    for (const id of ids) {
      const folder = sandboxFolder(this.#host.rootDir, id);
      const record = folder === null ? null : await readRecord(folder, this.#host.bootId);
      if (record?.ref.provider === this.id && matchesLabels(record.ref.labels, labels))
        yield record.ref;
    }
    for (const group of groups.filter(({ id }) => !ids.includes(id))) {
      const ref = lostRef(this.id, group);
      if (matchesLabels(ref.labels, labels)) yield ref;
    }
  }

  async destroy(ref: SandboxRef): Promise<void> {
    this.#open.get(ref.id)?.markGone('destroyed');
    this.#open.delete(ref.id);
    await endSandbox(this.#host, ref.id);
  }

  async close(): Promise<void> {
    this.#open.clear();
  }

  #adopt(parts: Readonly<{ record: SandboxRecord; folder: string; layout?: Layout }>): HostSandbox {
    const join = this.#launcher.join ?? joinCommand;
    const evict = () => endSandbox(this.#host, parts.record.ref.id);
    const sandbox = new HostSandbox({ ...parts, joinCommand: join, evict, clock: this.#clock });
    this.#open.set(parts.record.ref.id, sandbox);
    return sandbox;
  }
}
