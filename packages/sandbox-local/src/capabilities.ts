import type { Capabilities } from '@hermes/sandbox';
import type { LocalHost } from './probe-host.ts';

const MAX_ARGUMENT_BYTES = 131_071;

/** What a sandbox can do on this host. `program` null means the `sh` supervisor, which can do less. */
export function capabilitiesOf({ isolation, cgroups, program }: LocalHost): Capabilities {
  const isIsolated = isolation === 'bubblewrap';
  const hasProgram = program !== null;
  const has = (controller: 'memory' | 'cpu' | 'cpuacct' | 'pids') =>
    cgroups?.folders[controller] !== undefined;
  return {
    ...{
      shell: true,
      persistentFs: true,
      absolutePaths: isIsolated,
      sessions: true,
      tty: hasProgram,
    },
    ...{
      stdin: true,
      streaming: true,
      binary: true,
      users: false,
      root: false,
      networkNone: isIsolated,
    },
    ...{ networkAllowlist: false, ports: false, snapshot: false, reattach: hasProgram, gpu: false },
    killTree: killTreeOf(isIsolated, hasProgram),
    isolation: isIsolated ? 'process' : 'none',
    resourceLimits: { cpu: has('cpu'), memory: has('memory'), pids: has('pids'), disk: isIsolated },
    usage: { cpu: has('cpuacct'), memory: has('memory'), oom: has('memory') },
    ...{ mounts: isIsolated, readonlyRoot: isIsolated, shm: isIsolated },
    maxArgBytes: MAX_ARGUMENT_BYTES,
    maxUploadBytes: null,
    timeoutGranularityMs: hasProgram ? 1 : 1000,
  };
}

function killTreeOf(isIsolated: boolean, hasProgram: boolean): Capabilities['killTree'] {
  if (!hasProgram) return 'pgid';
  return isIsolated ? 'pidns' : 'subreaper';
}
