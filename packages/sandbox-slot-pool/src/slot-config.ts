import { posix } from 'node:path';
import type { SandboxSpec } from '@hermes/sandbox';
import { unsupported } from '@hermes/sandbox/host';
import type { Lease } from './lease.ts';
import { HOST_SECRETS, SYSTEM_PLACES, WORKDIR } from './places.ts';
import type { ResolvedSettings } from './settings.ts';
import type { SlotHost } from './slot-host.ts';

/** What a slot is, whichever it is: the keys are those of the program's `--config`. */
export type SlotShape = Readonly<{
  /** Of its place, among all slots of the machine. */
  index: number;
  ids: 'own' | 'shared';
  folder: string;
  workdir: string;
  user: string;
  hostname: string;
  network: 'none' | 'shared';
  show: readonly string[];
  hide: readonly string[];
  diskBytes: number;
  shmBytes: number;
  limits: Readonly<{ memoryBytes: number; pids: number; milliCpu: number }>;
  require: boolean;
}>;

/** One slot as the program takes it. */
export type SlotConfig = SlotShape & Readonly<{ name: string }>;

/** What a slot shall be, and the limits that were asked for but cannot be kept in this inner sandbox. */
export type SlotPlan = Readonly<{ shape: SlotShape; unmetLimits: readonly string[] }>;

/** Throws UNSUPPORTED for a limit that cannot be kept, unless the spec is content with less. */
export function planSlot(
  { host, index }: Pick<Lease, 'host' | 'index'>,
  spec: SandboxSpec,
  settings: ResolvedSettings,
): SlotPlan {
  const { slot } = settings;
  const asked = spec.resources ?? {};
  const unmetLimits = unmetOf(asked, host.probe.controllers);
  const [first] = unmetLimits;
  if (first !== undefined && asked.enforce !== 'best_effort')
    throw unsupported(
      `create a slot: resources.${first} cannot be limited here: there are no control groups for it that may be written`,
    );
  const has = (controller: string) => host.probe.controllers.includes(controller);
  const limits = {
    memoryBytes: has('memory') ? (asked.memoryBytes ?? slot.memoryBytes ?? 0) : 0,
    pids: has('pids') ? (asked.pids ?? slot.pids) : 0,
    milliCpu: has('cpu') ? Math.round((asked.cpus ?? slot.cpus ?? 0) * 1000) : 0,
  };
  const shape: SlotShape = {
    ...{ index: host.firstIndex + index, hostname: 'sandbox', limits, require: true },
    workdir: workdirOf(spec, host, settings),
    user: spec.user ?? host.user ?? '',
    network: (spec.network?.mode ?? settings.network) === 'open' ? 'shared' : 'none',
    ...hostPart(host, settings),
    diskBytes: asked.diskBytes ?? slot.diskBytes,
    shmBytes: asked.shmBytes ?? slot.shmBytes,
  };
  return { shape, unmetLimits };
}

/** What all slots of an inner sandbox have in common. */
export function hostPart(
  { folder, hasWalls }: Pick<SlotHost, 'folder' | 'hasWalls'>,
  { ids, show, hide }: ResolvedSettings,
): Pick<SlotShape, 'folder' | 'ids' | 'show' | 'hide'> {
  return {
    ...{ folder, ids },
    show: show ?? (hasWalls ? [] : SYSTEM_PLACES),
    hide: [...hide, ...(hasWalls ? [] : HOST_SECRETS)],
  };
}

const CONTROLLERS = { cpus: 'cpu', memoryBytes: 'memory', pids: 'pids' } as const;

function unmetOf(
  asked: NonNullable<SandboxSpec['resources']>,
  controllers: readonly string[],
): string[] {
  const names = Object.keys(CONTROLLERS) as (keyof typeof CONTROLLERS)[];
  return names.filter(
    (name) => asked[name] !== undefined && !controllers.includes(CONTROLLERS[name]),
  );
}

function workdirOf(
  { workdir = '.' }: SandboxSpec,
  host: Pick<SlotHost, 'hasWalls' | 'workdir'>,
  settings: ResolvedSettings,
): string {
  const base = settings.workdir ?? (host.hasWalls ? host.workdir : WORKDIR);
  return posix.resolve(base, workdir);
}
