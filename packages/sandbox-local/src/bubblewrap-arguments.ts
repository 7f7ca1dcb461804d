import { join } from 'node:path';
import type { Mount, SandboxSpec } from '@hermes/sandbox';
import type { SystemFolders } from '@hermes/sandbox/host';

/** How a sandbox looks from inside, apart from what its spec asks for. */
export type SandboxView = Readonly<{
  /** Host folder that is the sandbox's own `/`; with a disk limit one sized tmpfs is. */
  rootFolder: string;
  workdir: string;
  /** Folders that are private and writable, the workdir among them. */
  writablePlaces: readonly string[];
  /** The supervisor's own folder, one of them. */
  stateDir: string;
  env: Readonly<Record<string, string>>;
  /** What it sees of the host. */
  system: SystemFolders;
}>;

type Asked = Pick<SandboxSpec, 'network' | 'readonlyRoot' | 'mounts' | 'resources'>;

const SHM_BYTES = 64 * 1024 * 1024;
const STATE_BYTES = 32 * 1024 * 1024;

/** bubblewrap's arguments; `--` and the program to run follow them. */
export function bubblewrapArguments(view: SandboxView, asked: Asked): readonly string[] {
  const isNetworkOpen = asked.network?.mode === 'open';
  const diskBytes = asked.resources?.diskBytes;
  const shmBytes = asked.resources?.shmBytes ?? SHM_BYTES;
  const { env, system, workdir } = view;
  return [
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts'],
    ...['--unshare-cgroup-try', '--hostname', 'sandbox', '--die-with-parent', '--new-session'],
    ...(isNetworkOpen ? [] : ['--unshare-net']),
    // The supervisor is the namespace's first process: nothing inside can kill it, or take its descriptors from a helper.
    ...['--as-pid-1', '--clearenv', '--cap-drop', 'ALL'],
    ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]),
    ...(diskBytes === undefined ? ['--bind', view.rootFolder, '/'] : tmpfs('/', diskBytes)),
    // Made here, because bubblewrap closes the parents that it makes by itself to others.
    ...['--dir', '/etc', '--dir', '/run', '--dir', '/var'],
    ...systemFlags(system),
    ...(isNetworkOpen ? ['--ro-bind-try', '/etc/resolv.conf', '/etc/resolv.conf'] : []),
    // bubblewrap's /dev is a tmpfs without a size: made read-only, so that the disk limit has no back door.
    ...['--dev', '/dev', ...tmpfs('/dev/shm', shmBytes), '--remount-ro', '/dev'],
    ...writableFolders(view, asked),
    ...(asked.mounts ?? []).flatMap(mountFlags),
    // Last: until here mount points are made in it.
    ...(asked.readonlyRoot === true ? ['--remount-ro', '/'] : []),
    ...['--chdir', workdir],
  ];
}

function systemFlags({ links, readOnly, kernelPaths }: SystemFolders): string[] {
  return [
    ...links.flatMap(({ path, target }) => ['--symlink', target, path]),
    ...readOnly.flatMap((path) => ['--ro-bind-try', path, path]),
    ...['--proc', '/proc', ...kernelPaths.flatMap((path) => ['--ro-bind', path, path])],
  ];
}

function writableFolders(view: SandboxView, { readonlyRoot, resources }: Asked): string[] {
  const { rootFolder, writablePlaces, stateDir } = view;
  if (readonlyRoot === true)
    return writablePlaces.flatMap((place) => ['--bind', join(rootFolder, place), place]);
  const places = writablePlaces.flatMap((place) => ['--dir', place]);
  // Apart from the rest, so that a full disk does not keep the supervisor from working.
  return resources?.diskBytes === undefined ? places : [...places, ...tmpfs(stateDir, STATE_BYTES)];
}

function tmpfs(place: string, bytes: number): string[] {
  return ['--size', String(bytes), '--tmpfs', place];
}

function mountFlags({ source, target, readOnly }: Mount): string[] {
  return [readOnly ? '--ro-bind' : '--bind', source, target];
}
