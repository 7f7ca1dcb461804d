import { isAbsolute, join, normalize } from 'node:path';
import type { SandboxSpec } from '@hermes/sandbox';
import {
  type HostSupervisor,
  type Launcher,
  type Layout,
  supervisorPlace,
  unsupported,
} from '@hermes/sandbox/host';
import { bubblewrapArguments } from './bubblewrap-arguments.ts';
import { PATH } from './plain-layout.ts';

const SUPERVISOR_INSIDE = '/run/hermes-supervisor';
const STATE_INSIDE = '/run/hermes';
const PRIVATE_PLACES = ['/app', '/tests', '/logs', '/solution', '/tmp', '/var/tmp', STATE_INSIDE];

/** A root of its own: the folder `root` of the sandbox's folder, with private places and the host's system folders. */
export function bubblewrapLayout(
  bubblewrapPath: string,
  supervisor: HostSupervisor,
  system: readonly string[],
): Launcher['layOut'] {
  return (folder, _id, spec): Layout => {
    const rootFolder = join(folder, 'root');
    const home = process.getuid?.() === 0 ? '/root' : '/home/user';
    const workdir = absoluteWorkdir(spec);
    const writablePlaces = [...new Set([...PRIVATE_PLACES, home, workdir])];
    const program = { source: supervisor.path, target: SUPERVISOR_INSIDE, readOnly: true };
    const view = { rootFolder, workdir, writablePlaces, stateDir: STATE_INSIDE, system };
    const asked = { ...spec, mounts: [...(spec.mounts ?? []), program] };
    return {
      workdir,
      stateDir: STATE_INSIDE,
      env: { PATH, HOME: home, TMPDIR: '/tmp' },
      ...supervisorPlace(supervisor, SUPERVISOR_INSIDE),
      hostFolders: [rootFolder, ...writablePlaces.map((place) => join(rootFolder, place))],
      start: (argv, env) => [
        bubblewrapPath,
        ...bubblewrapArguments({ ...view, env }, asked),
        ...['--json-status-fd', '3', '--', ...argv],
      ],
      readInitPid: (line) => (JSON.parse(line) as { 'child-pid'?: number })['child-pid'] ?? null,
    };
  };
}

function absoluteWorkdir({ workdir = '/workspace', readonlyRoot, resources }: SandboxSpec): string {
  if (readonlyRoot === true && resources?.diskBytes !== undefined)
    throw unsupported('sandbox local: readonlyRoot and resources.diskBytes exclude each other');
  const path = normalize(workdir);
  const isTaken = /^\/(usr|etc|proc|dev|bin|sbin|lib\w*|run\/hermes[^/]*)?(\/|$)/.test(path);
  if (isAbsolute(path) && !isTaken) return path.replace(/\/$/, '');
  throw unsupported(
    `sandbox local: workdir ${workdir} must be an absolute path outside the system folders`,
  );
}
