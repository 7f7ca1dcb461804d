import type { Capabilities } from '../types.ts';
import type { HostSupervisor } from './host-supervisor.ts';
import type { CgroupController } from './probe-cgroups.ts';
import type { SandboxHost } from './sandbox-host.ts';

/** Linux takes no longer single argument. */
const MAX_ARGUMENT_BYTES = 131_071;

/** What holds for plain processes of this machine under that supervisor; a launcher adds what its isolation gives. */
export function hostCapabilities(
  { cgroups }: Pick<SandboxHost, 'cgroups'>,
  { kind }: Pick<HostSupervisor, 'kind'>,
): Capabilities {
  const isProgram = kind === 'go';
  const has = (controller: CgroupController) => cgroups?.folders[controller] !== undefined;
  return {
    ...{ shell: true, persistentFs: true, absolutePaths: false, sessions: true, tty: isProgram },
    ...{ stdin: true, streaming: true, binary: true, users: false, root: false },
    ...{ networkNone: false, networkAllowlist: false, ports: false, snapshot: false, gpu: false },
    reattach: isProgram,
    killTree: isProgram ? 'subreaper' : 'pgid',
    isolation: 'none',
    resourceLimits: { cpu: has('cpu'), memory: has('memory'), pids: has('pids'), disk: false },
    usage: { cpu: has('cpuacct'), memory: has('memory'), oom: has('memory') },
    maxArgBytes: MAX_ARGUMENT_BYTES,
    maxUploadBytes: null,
    timeoutGranularityMs: isProgram ? 1 : 1000,
  };
}
