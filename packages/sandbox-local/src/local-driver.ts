import { mkdir } from 'node:fs/promises';
import type { Clock } from '@hermes/protocol';
import {
  type CreateOptions,
  type DriverSandbox,
  type LabelFilter,
  type SandboxDriver,
  SandboxError,
  type SandboxRef,
  type SandboxSpec,
} from '@hermes/sandbox';
import { capabilitiesOf } from './capabilities.ts';
import { applyLimits } from './cgroup-limits.ts';
import { createCgroup, planCgroup, removeCgroup } from './cgroups.ts';
import { killSandboxProcesses } from './kill-sandbox.ts';
import { type Layout, layOut, unsupported } from './layout.ts';
import { LocalSandbox } from './local-sandbox.ts';
import type { LocalHost } from './probe-host.ts';
import { identifyProcess, isProcessAlive } from './process-table.ts';
import { removeTree } from './remove-tree.ts';
import {
  claimFolder,
  listSandboxIds,
  readRecord,
  type SandboxRecord,
  sandboxFolder,
  sandboxId,
} from './sandbox-record.ts';

const PROVIDER = 'local';
type Preparation = Readonly<{ record: SandboxRecord; folder: string; layout: Layout }>;

/** A driver on a probed host. All it knows of its sandboxes is on disk, so any process of this user can list and destroy them. */
export class LocalDriver implements SandboxDriver {
  readonly id: string = PROVIDER;
  readonly capabilities: SandboxDriver['capabilities'];
  readonly #host: LocalHost;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #open = new Map<string, LocalSandbox>();

  constructor(host: LocalHost, clock: Pick<Clock, 'now'>) {
    this.#host = host;
    this.#clock = clock;
    this.capabilities = capabilitiesOf(host);
  }

  async preflight(): ReturnType<SandboxDriver['preflight']> {
    const { problems, choice } = this.#host;
    return {
      ok: problems.length === 0,
      problems,
      capabilities: this.capabilities,
      summary: choice,
    };
  }

  async create(spec: SandboxSpec, options: CreateOptions): Promise<DriverSandbox> {
    const [problem] = this.#host.problems;
    if (problem !== undefined) throw unsupported(`${problem.message}; ${problem.fix}`);
    const preparation = await this.#prepare(spec);
    await this.#claim(preparation);
    try {
      await furnish(preparation, spec);
      if (options.signal?.aborted)
        throw new SandboxError('CANCELLED', 'request', 'sandbox local: the creation was cancelled');
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
    const host = { ...this.#host, isolation: record.isolation };
    return this.#adopt({ record, folder, layout: layOut(host, folder, ref.id, {}) });
  }

  async *list(filter: LabelFilter): AsyncIterable<SandboxRef> {
    const { rootDir, bootId } = this.#host;
    for (const id of await listSandboxIds(rootDir)) {
      const folder = sandboxFolder(rootDir, id);
      const record = folder === null ? null : await readRecord(folder, bootId);
      if (record !== null && hasLabels(record.ref, filter.labels ?? {})) yield record.ref;
    }
  }

  async destroy(ref: SandboxRef): Promise<void> {
    const folder = sandboxFolder(this.#host.rootDir, ref.id);
    if (folder === null) return;
    const record = await readRecord(folder, this.#host.bootId);
    this.#open.get(ref.id)?.markGone('destroyed');
    this.#open.delete(ref.id);
    if (record !== null) await endSandbox(record);
    await removeTree(folder);
  }

  async close(): Promise<void> {
    this.#open.clear();
  }

  async #prepare(spec: SandboxSpec): Promise<Preparation> {
    const { rootDir, isolation, bootId, cgroups } = this.#host;
    const id = sandboxId(spec.idempotencyKey);
    const folder = sandboxFolder(rootDir, id) ?? rootDir;
    const layout = layOut(this.#host, folder, id, spec);
    const createdAtMs = this.#clock.now().wallMs;
    const record: SandboxRecord = {
      ref: { provider: PROVIDER, id, name: id, labels: spec.labels },
      ...{ bootId, isolation, workdir: layout.workdir },
      ...{ createdAtMs, expiresAtMs: createdAtMs + spec.lifetimeMs },
      ...{ creator: await identifyProcess(process.pid), supervisor: null, init: null },
      cgroup: cgroups === null ? null : planCgroup(cgroups, id),
    };
    return { record, folder, layout };
  }

  /** Takes the name. What a dead process left under it is removed; a living sandbox keeps it. */
  async #claim({ record, folder }: Preparation): Promise<void> {
    if (await claimFolder(folder, record)) return;
    const other = await readRecord(folder, this.#host.bootId);
    const isAlive = await isProcessAlive(other?.supervisor ?? other?.creator ?? null);
    if (!isAlive) await this.destroy(record.ref);
    if (!isAlive && (await claimFolder(folder, record))) return;
    const message = `sandbox local: there is a sandbox ${record.ref.id} of this idempotency key already; attach to it or destroy it`;
    throw new SandboxError('CONFIG', 'request', message);
  }

  #adopt({ record, folder, layout }: Preparation): LocalSandbox {
    const sandbox = new LocalSandbox({ record, folder, layout, clock: this.#clock });
    this.#open.set(record.ref.id, sandbox);
    return sandbox;
  }
}

async function furnish(
  { record, layout }: Preparation,
  { resources = {} }: SandboxSpec,
): Promise<void> {
  for (const folder of layout.hostFolders) await mkdir(folder, { recursive: true, mode: 0o755 });
  if (record.cgroup === null) return;
  await createCgroup(record.cgroup);
  const [limit] = await applyLimits(record.cgroup, resources);
  if (limit !== undefined) throw unsupported(`the kernel refuses resources.${limit}`);
}

async function endSandbox(record: SandboxRecord): Promise<void> {
  const left = await killSandboxProcesses(record);
  if (left.length > 0) {
    const message = `sandbox ${record.ref.id}: processes ${left.join(', ')} could not be ended`;
    throw new SandboxError('SANDBOX_UNHEALTHY', 'sandbox', message);
  }
  await removeCgroup(record.cgroup);
}

function hasLabels(ref: SandboxRef, labels: Readonly<Record<string, string>>): boolean {
  return Object.entries(labels).every(([name, value]) => ref.labels[name] === value);
}
