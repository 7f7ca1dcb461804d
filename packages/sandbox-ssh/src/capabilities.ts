import type { Capabilities } from '@hermes/sandbox';
import type { CgroupController } from '@hermes/sandbox/host';
import type { RemoteHost } from './remote-host.ts';

/** Linux takes no longer single argument. */
const MAX_ARGUMENT_BYTES = 131_071;

/** What sandboxes on a host can do. Only root may act as others; limits are those whose control groups the account may make. */
export function sshCapabilities({
  isRoot,
  kind,
  cgroups,
}: Pick<RemoteHost, 'isRoot' | 'kind' | 'cgroups'>): Capabilities {
  const isProgram = kind === 'go';
  const has = (controller: CgroupController) => cgroups?.folders[controller] !== undefined;
  return {
    ...{ shell: true, persistentFs: true, absolutePaths: false, sessions: true, tty: true },
    ...{ stdin: true, streaming: true, binary: true, users: isRoot, root: isRoot },
    // The port numbers of a host are there once for all sandboxes.
    ...{ networkNone: false, networkAllowlist: false, ports: true, sharedPorts: true },
    ...{ snapshot: false, gpu: false, reattach: true, nesting: isRoot },
    ...{ killTree: 'subreaper', isolation: 'none' },
    // The script is made of processes itself: a limit of their number would stop it too.
    resourceLimits: {
      ...{ cpu: has('cpu'), memory: has('memory') },
      ...{ pids: has('pids') && isProgram, disk: false },
    },
    usage: { cpu: has('cpuacct'), memory: has('memory'), oom: has('memory') },
    maxArgBytes: MAX_ARGUMENT_BYTES,
    maxUploadBytes: null,
    timeoutGranularityMs: isProgram ? 1 : 1000,
  };
}
