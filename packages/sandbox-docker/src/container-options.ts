import type { SandboxSpec } from '@hermes/sandbox';
import type Dockerode from 'dockerode';
import type { ReadyImage } from './images.ts';
import { PROGRAM_DIR, RUN_DIR } from './places.ts';
import type { ResolvedDockerSettings } from './settings.ts';

/** A container to be made. */
export type ContainerPlan = Readonly<{
  name: string;
  spec: SandboxSpec;
  image: ReadyImage;
  workdir: string;
  /** The supervisor's volume. */
  volume: string;
  /** Who the supervisor runs as. */
  user: string;
  /** The supervisor's command: the container's first process. */
  argv: readonly string[];
  /** A tiny init before it, for a supervisor that does not care for orphans. */
  init: boolean;
  settings: ResolvedDockerSettings;
}>;

const TEMPORARY = 'rw,nosuid,nodev,exec,mode=1777';

/** The body of the API's create call. */
export function containerOptions(plan: ContainerPlan): Dockerode.ContainerCreateOptions {
  const { spec, image } = plan;
  const ports = (spec.ports ?? []).map((port) => `${port}/tcp`);
  return {
    name: plan.name,
    Image: image.id,
    Entrypoint: [...plan.argv],
    Cmd: [],
    WorkingDir: plan.workdir,
    User: plan.user,
    Labels: { ...spec.labels },
    Hostname: 'sandbox',
    // The end of the first channel is told to the supervisor.
    ...{
      OpenStdin: true,
      StdinOnce: true,
      AttachStdin: true,
      AttachStdout: true,
      AttachStderr: true,
    },
    ...(ports.length === 0 ? {} : { ExposedPorts: Object.fromEntries(ports.map((p) => [p, {}])) }),
    Healthcheck: { Test: ['NONE'] },
    // Nobody inside is waited for when the daemon stops.
    StopSignal: 'SIGKILL',
    HostConfig: { ...hostConfig(plan), PortBindings: portBindings(ports) },
  };
}

function hostConfig(plan: ContainerPlan): Dockerode.HostConfig {
  const { spec, settings } = plan;
  return {
    // It vanishes when its first process ends, with its volumes: nothing is left, whoever is there to see it.
    AutoRemove: true,
    Init: plan.init,
    LogConfig: { Type: 'none', Config: {} },
    ...limits(plan),
    ...{ CapDrop: ['ALL'], CapAdd: capabilitiesOf(plan) },
    SecurityOpt: [...(settings.noNewPrivileges ? ['no-new-privileges'] : []), ...profiles(spec)],
    NetworkMode: networkMode(spec, settings.network),
    ReadonlyRootfs: spec.readonlyRoot ?? false,
    Tmpfs: temporaryFolders(spec),
    Mounts: mounts(plan),
    ...(settings.runtime === undefined ? {} : { Runtime: settings.runtime }),
  };
}

/** Namespaces with their mounts and loopback, processes in them, and giving up rights for good. */
const NESTING_CAPABILITIES = ['SYS_ADMIN', 'NET_ADMIN', 'SYS_PTRACE', 'SETPCAP'];

function capabilitiesOf({ spec, settings }: ContainerPlan): string[] {
  const more = spec.nesting === true ? NESTING_CAPABILITIES : [];
  return [...new Set([...settings.capAdd, ...more])];
}

/** The daemon's usual profiles forbid pivot_root and mounts, whatever capabilities there are. */
function profiles({ nesting }: SandboxSpec): string[] {
  return nesting === true ? ['seccomp=unconfined', 'apparmor=unconfined'] : [];
}

function limits({ spec, settings }: ContainerPlan): Dockerode.HostConfig {
  const { cpus, memoryBytes, pids, shmBytes, gpus, diskBytes } = spec.resources ?? {};
  return {
    PidsLimit: pids ?? settings.pids,
    ...(cpus === undefined ? {} : { NanoCpus: Math.round(cpus * 1e9) }),
    // Swap beside it would let the sandbox have more than it was given.
    ...(memoryBytes === undefined ? {} : { Memory: memoryBytes, MemorySwap: memoryBytes }),
    ...(shmBytes === undefined ? {} : { ShmSize: shmBytes }),
    // Asked for only where the settings say that there are quotas.
    ...(diskBytes === undefined ? {} : { StorageOpt: { size: String(diskBytes) } }),
    ...(gpus === undefined ? {} : { DeviceRequests: [gpuRequest(gpus)] }),
  };
}

function gpuRequest(gpus: string): Dockerode.DeviceRequest {
  const fixed = { Driver: 'nvidia', Capabilities: [['gpu']] };
  if (gpus === 'all') return { ...fixed, Count: -1 };
  return /^\d+$/.test(gpus)
    ? { ...fixed, Count: Number(gpus) }
    : { ...fixed, DeviceIDs: gpus.split(',') };
}

/** Without a word about the network there is none, unless ports shall be reached. */
function networkMode({ network, ports = [] }: SandboxSpec, shared: string): string {
  const mode = network?.mode ?? (ports.length > 0 ? 'open' : 'none');
  return mode === 'open' ? shared : 'none';
}

function portBindings(ports: readonly string[]): Dockerode.PortMap {
  return Object.fromEntries(ports.map((port) => [port, [{ HostIp: '127.0.0.1', HostPort: '' }]]));
}

function temporaryFolders({ readonlyRoot }: SandboxSpec): Record<string, string> {
  const state = { [RUN_DIR]: `${TEMPORARY},size=256m` };
  return readonlyRoot === true ? { ...state, '/tmp': TEMPORARY, '/var/tmp': TEMPORARY } : state;
}

function mounts({ spec, volume, workdir }: ContainerPlan): Dockerode.MountConfig {
  const program = { Type: 'volume', Source: volume, Target: PROGRAM_DIR, ReadOnly: true } as const;
  const asked = (spec.mounts ?? []).map(
    ({ source, target, readOnly }) =>
      ({ Type: 'bind', Source: source, Target: target, ReadOnly: readOnly }) as const,
  );
  // A volume of its own begins with what the image has there, and goes with the container.
  const place = { Type: 'volume', Source: '', Target: workdir } as const;
  return [program, ...asked, ...(spec.readonlyRoot === true ? [place] : [])];
}
