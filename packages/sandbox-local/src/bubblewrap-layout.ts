import { join } from 'node:path';
import {
  absoluteWorkdir,
  type HostSupervisor,
  type Launcher,
  type Layout,
  PROGRAM_PATH,
  type SystemFolders,
  supervisorPlace,
  unsupported,
} from '@hermes/sandbox/host';
import { bubblewrapArguments } from './bubblewrap-arguments.ts';

const SUPERVISOR_INSIDE = '/run/hermes-supervisor';
const STATE_INSIDE = '/run/hermes';
const PRIVATE_PLACES = ['/app', '/tests', '/logs', '/solution', '/tmp', '/var/tmp', STATE_INSIDE];

/** A root of its own: the folder `root` of the sandbox's folder, with private places and the host's system folders. */
export function bubblewrapLayout(
  bubblewrapPath: string,
  supervisor: HostSupervisor,
  system: SystemFolders,
): Launcher['layOut'] {
  return (folder, _id, spec): Layout => {
    const rootFolder = join(folder, 'root');
    const home = process.getuid?.() === 0 ? '/root' : '/home/user';
    const { readonlyRoot, resources } = spec;
    if (readonlyRoot === true && resources?.diskBytes !== undefined)
      throw unsupported('sandbox local: readonlyRoot and resources.diskBytes exclude each other');
    const workdir = absoluteWorkdir(spec);
    const writablePlaces = [...new Set([...PRIVATE_PLACES, home, workdir])];
    const program = { source: supervisor.path, target: SUPERVISOR_INSIDE, readOnly: true };
    const view = { rootFolder, workdir, writablePlaces, stateDir: STATE_INSIDE, system };
    const asked = { ...spec, mounts: [...(spec.mounts ?? []), program] };
    return {
      workdir,
      stateDir: STATE_INSIDE,
      env: { PATH: PROGRAM_PATH, HOME: home, TMPDIR: '/tmp' },
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
