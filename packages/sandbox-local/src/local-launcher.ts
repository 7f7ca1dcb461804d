import type { Capabilities } from '@hermes/sandbox';
import {
  findHostSupervisor,
  findSystemFolders,
  type HostSupervisor,
  hostCapabilities,
  type Launcher,
  plainLayout,
  type SandboxHost,
} from '@hermes/sandbox/host';
import { bubblewrapLayout } from './bubblewrap-layout.ts';
import { chooseIsolation } from './choose-isolation.ts';
import type { ResolvedLocalSettings } from './settings.ts';

/** Settles how sandboxes look on this machine, by trying bubblewrap. */
export async function createLocalLauncher(
  settings: ResolvedLocalSettings,
  host: SandboxHost,
): Promise<Launcher> {
  const system = findSystemFolders(settings.systemPaths);
  const supervisor = findHostSupervisor(settings.supervisor);
  const { isolation, ...findings } = await chooseIsolation(settings, system);
  const plain = hostCapabilities(host, supervisor);
  const parts =
    isolation === 'none'
      ? { capabilities: plain, layOut: plainLayout(supervisor) }
      : {
          capabilities: isolated(plain, supervisor),
          layOut: bubblewrapLayout(settings.bubblewrapPath, supervisor, system),
        };
  return { id: 'local', findings, ...parts };
}

/** What bubblewrap adds to plain processes. */
function isolated(plain: Capabilities, { kind }: HostSupervisor): Capabilities {
  return {
    ...plain,
    ...{ absolutePaths: true, networkNone: true, isolation: 'process' },
    killTree: kind === 'go' ? 'pidns' : plain.killTree,
    resourceLimits: { ...plain.resourceLimits, disk: true },
    ...{ mounts: true, readonlyRoot: true, shm: true },
  };
}
