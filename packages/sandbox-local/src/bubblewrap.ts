import { join } from 'node:path';
import type { Mount } from '@hermes/sandbox';

/** All that decides how a bubblewrap sandbox looks from inside. */
export type BubblewrapOptions = Readonly<{
  bubblewrapPath: string;
  /** Host folder that is the sandbox's own `/`; not used with diskBytes. */
  rootFolder: string;
  /** Size of the one tmpfs that then holds every writable place. */
  diskBytes: number | undefined;
  shmBytes: number | undefined;
  isNetworkOpen: boolean;
  isRootReadOnly: boolean;
  workdir: string;
  /** Folders that are private and writable, the workdir among them. */
  writablePlaces: readonly string[];
  /** The supervisor's own folder, one of them. */
  stateDir: string;
  env: Readonly<Record<string, string>>;
  system: SystemFolders;
  mounts: readonly Mount[];
}>;

/** What a sandbox sees of the host, all read-only. */
export type SystemFolders = Readonly<{
  /** Host paths shown under their own name. */
  paths: readonly string[];
  /** Links to make, as on the host: `/bin` to `usr/bin`. */
  links: readonly Readonly<{ path: string; target: string }>[];
  /** Kernel settings that the harness's own user could change: root, also inside a user namespace. */
  kernelPaths: readonly string[];
}>;

const SHM_BYTES = 64 * 1024 * 1024;
const STATE_BYTES = 32 * 1024 * 1024;

/** The command line up to and including `--`; the program to run follows it. bubblewrap reports on descriptor 3. */
export function bubblewrapArguments(options: BubblewrapOptions): readonly [string, ...string[]] {
  return [
    options.bubblewrapPath,
    ...namespaces(options.isNetworkOpen),
    ...Object.entries(options.env).flatMap(([name, value]) => ['--setenv', name, value]),
    ...privateRoot(options),
    ...systemFolders(options.system, options.isNetworkOpen),
    ...deviceFolders(options.shmBytes ?? SHM_BYTES),
    ...writableFolders(options),
    ...options.mounts.flatMap(mountFlags),
    // Last: until here mount points are made in it.
    ...(options.isRootReadOnly ? ['--remount-ro', '/'] : []),
    ...['--chdir', options.workdir, '--json-status-fd', '3', '--'],
  ];
}

function namespaces(isNetworkOpen: boolean): string[] {
  const network = isNetworkOpen ? [] : ['--unshare-net'];
  return [
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', ...network],
    ...['--unshare-cgroup-try', '--hostname', 'sandbox', '--die-with-parent', '--new-session'],
    // The supervisor is the namespace's first process: nothing inside can kill it, or take its descriptors from a helper.
    '--as-pid-1',
    ...['--clearenv', '--cap-drop', 'ALL'],
  ];
}

function privateRoot({ rootFolder, diskBytes }: BubblewrapOptions): string[] {
  const root =
    diskBytes === undefined
      ? ['--bind', rootFolder, '/']
      : ['--size', String(diskBytes), '--tmpfs', '/'];
  // Made here, because bubblewrap closes the parents that it makes by itself to others.
  return [...root, '--dir', '/etc', '--dir', '/run', '--dir', '/var'];
}

function systemFolders(system: SystemFolders, isNetworkOpen: boolean): string[] {
  return [
    ...system.links.flatMap(({ path, target }) => ['--symlink', target, path]),
    ...system.paths.flatMap((path) => ['--ro-bind-try', path, path]),
    ...(isNetworkOpen ? ['--ro-bind-try', '/etc/resolv.conf', '/etc/resolv.conf'] : []),
    ...['--proc', '/proc', ...system.kernelPaths.flatMap((path) => ['--ro-bind', path, path])],
  ];
}

// bubblewrap's /dev is a tmpfs without a size: made read-only, so that the disk limit has no back door.
function deviceFolders(shmBytes: number): string[] {
  return [
    '--dev',
    '/dev',
    '--size',
    String(shmBytes),
    '--tmpfs',
    '/dev/shm',
    '--remount-ro',
    '/dev',
  ];
}

function writableFolders(options: BubblewrapOptions): string[] {
  if (!options.isRootReadOnly) {
    // Apart from the rest, so that a full disk does not keep the supervisor from working.
    const state = ['--size', String(STATE_BYTES), '--tmpfs', options.stateDir];
    const places = options.writablePlaces.flatMap((place) => ['--dir', place]);
    return options.diskBytes === undefined ? places : [...places, ...state];
  }
  const bind = (place: string) => ['--bind', join(options.rootFolder, place), place];
  return options.writablePlaces.flatMap(bind);
}

function mountFlags({ source, target, readOnly }: Mount): string[] {
  return [readOnly ? '--ro-bind' : '--bind', source, target];
}
