import { join } from 'node:path';
import {
  findHostSupervisor,
  hostCapabilities,
  type Launcher,
  supervisorPlace,
} from '../../src/host/index.ts';

/** The smallest launcher: plain processes in a folder. */
export function plainLauncher(id = 'plain'): Launcher {
  const supervisor = findHostSupervisor('go');
  return {
    id,
    capabilities: hostCapabilities({ cgroups: null }, supervisor),
    findings: { problems: [] },
    layOut: (folder) => ({
      workdir: join(folder, 'workspace'),
      stateDir: join(folder, 'state'),
      env: { PATH: '/usr/bin:/bin', HOME: folder },
      ...supervisorPlace(supervisor, supervisor.path),
      hostFolders: [join(folder, 'workspace')],
      start: (argv) => argv,
    }),
  };
}
