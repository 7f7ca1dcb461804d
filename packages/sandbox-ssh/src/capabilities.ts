import type { Capabilities } from '@hermes/sandbox';
import type { ResolvedSshSettings } from './settings.ts';

/** Linux takes no longer single argument. */
const MAX_ARGUMENT_BYTES = 131_071;

/** What sandboxes of an account can do. Only root may act as others. */
export function sshCapabilities(
  isRoot: boolean,
  { supervisor }: Pick<ResolvedSshSettings, 'supervisor'>,
): Capabilities {
  const isProgram = supervisor !== 'sh';
  return {
    ...{ shell: true, persistentFs: true, absolutePaths: false, sessions: true, tty: true },
    ...{ stdin: true, streaming: true, binary: true, users: isRoot, root: isRoot },
    // The port numbers of a host are there once for all sandboxes.
    ...{ networkNone: false, networkAllowlist: false, ports: true, sharedPorts: true },
    ...{ snapshot: false, gpu: false, reattach: true },
    ...{ killTree: 'subreaper', isolation: 'none' },
    resourceLimits: { cpu: false, memory: false, pids: false, disk: false },
    usage: { cpu: false, memory: false, oom: false },
    maxArgBytes: MAX_ARGUMENT_BYTES,
    maxUploadBytes: null,
    timeoutGranularityMs: isProgram ? 1 : 1000,
  };
}
