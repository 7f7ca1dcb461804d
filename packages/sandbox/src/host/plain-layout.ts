import { join } from 'node:path';
import { type HostSupervisor, supervisorPlace } from './host-supervisor.ts';
import type { Launcher, Layout } from './launcher.ts';
import { relativeWorkdir } from './relative-workdir.ts';

/** Where programs are found on this machine, whatever the isolation. */
export const PROGRAM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Plain processes: places are folders below the sandbox's own, by convention only. */
export function plainLayout(supervisor: HostSupervisor): Launcher['layOut'] {
  return (folder, _id, spec): Layout => {
    const workdir = join(folder, 'workspace', relativeWorkdir(spec));
    const env = { PATH: PROGRAM_PATH, HOME: join(folder, 'home'), TMPDIR: join(folder, 'tmp') };
    return {
      workdir,
      stateDir: join(folder, 'state'),
      env,
      ...supervisorPlace(supervisor, supervisor.path),
      hostFolders: [workdir, env.HOME, env.TMPDIR],
      startFolder: workdir,
      start: (argv) => argv,
    };
  };
}
