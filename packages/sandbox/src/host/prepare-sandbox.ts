import { mkdir } from 'node:fs/promises';
import { unsupported } from '../core/errors.ts';
import { SandboxError, type SandboxSpec } from '../types.ts';
import { applyLimits } from './cgroup-limits.ts';
import { createCgroup } from './cgroups.ts';
import { endSandbox } from './end-sandbox.ts';
import { MARK_VARIABLE } from './kill-sandbox.ts';
import type { Launcher, Layout, SandboxPlaces } from './launcher.ts';
import { nameGroup } from './named-groups.ts';
import { identifyProcess, isProcessAlive } from './process-table.ts';
import { claimFolder, sandboxFolder, sandboxId } from './sandbox-folders.ts';
import type { SandboxHost } from './sandbox-host.ts';
import { readRecord, type SandboxRecord } from './sandbox-record.ts';

/**
 * For a sandbox whose spec bounds no processes, or whose supervisor cannot work under a bound that is asked for: a fork bomb
 * ends that sandbox, and not this machine.
 */
const MOST_PROCESSES = 2048;

/** A sandbox that is not started yet. */
export type Preparation = Readonly<{ record: SandboxRecord; folder: string; layout: Layout }>;

/** Decides all that will be known of a new sandbox. Makes nothing. */
export async function planSandbox(
  host: SandboxHost,
  launcher: Launcher,
  spec: SandboxSpec,
  createdAtMs: number,
): Promise<Preparation> {
  const id = sandboxId(host.rootDir, launcher.id, spec.idempotencyKey);
  const folder = sandboxFolder(host.rootDir, id) ?? host.rootDir;
  const layout = launcher.layOut(folder, id, spec);
  const creator = await identifyProcess(process.pid);
  const record: SandboxRecord = {
    ref: { provider: launcher.id, id, name: id, labels: spec.labels },
    ...placesOf(layout, id),
    ...{ bootId: host.bootId, isolation: launcher.capabilities.isolation },
    ...{ createdAtMs, expiresAtMs: createdAtMs + spec.lifetimeMs },
    ...{ creator, supervisor: null, init: null },
    cgroup: nameGroup(host, id, creator),
  };
  return { record, folder, layout };
}

/** Takes the name. What a dead process left under it is removed; a living sandbox keeps it, and this throws CONFIG. */
export async function claimSandbox(
  host: SandboxHost,
  { record, folder }: Preparation,
): Promise<void> {
  if (await claimFolder(folder, record)) return;
  const other = await readRecord(folder, host.bootId);
  const isAlive = await isProcessAlive(other?.supervisor ?? other?.creator ?? null);
  if (!isAlive) await endSandbox(host, record.ref.id);
  if (!isAlive && (await claimFolder(folder, record))) return;
  const message = `create a sandbox: there is a sandbox ${record.ref.id} of this idempotency key already; attach to it or destroy it`;
  throw new SandboxError('CONFIG', 'request', message);
}

/** Makes the folders and the control groups with their limits. Throws UNSUPPORTED for a limit that the kernel refuses. */
export async function furnishSandbox(
  { record, layout }: Preparation,
  { resources = {} }: SandboxSpec,
): Promise<void> {
  for (const folder of layout.hostFolders) await mkdir(folder, { recursive: true, mode: 0o755 });
  if (record.cgroup === null) return;
  await createCgroup(record.cgroup);
  const bound = record.cgroup.folders.pids === undefined ? {} : { pids: MOST_PROCESSES };
  const [limit] = await applyLimits(record.cgroup, { ...bound, ...resources });
  if (limit !== undefined)
    throw unsupported(`create a sandbox: the kernel refuses resources.${limit}`);
}

function placesOf(layout: Layout, id: string): SandboxPlaces {
  const { workdir, stateDir, env, supervisorPath, fallbackPath } = layout;
  return {
    workdir,
    stateDir,
    env: { ...env, [MARK_VARIABLE]: id },
    ...(supervisorPath === undefined ? {} : { supervisorPath }),
    ...(fallbackPath === undefined ? {} : { fallbackPath }),
  };
}
