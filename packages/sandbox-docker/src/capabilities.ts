import type { Capabilities } from '@hermes/sandbox';
import type { Engine } from './engine.ts';
import type { ResolvedDockerSettings } from './settings.ts';

/** Linux takes no longer single argument. */
const MAX_ARGUMENT_BYTES = 131_071;

/** What containers of this daemon can do. */
export function dockerCapabilities(
  { publishedHost }: Pick<Engine, 'publishedHost'>,
  {
    gpus,
    supervisor,
    diskQuota,
  }: Pick<ResolvedDockerSettings, 'gpus' | 'supervisor' | 'diskQuota'>,
): Capabilities {
  const isProgram = supervisor !== 'sh';
  return {
    ...{ shell: true, persistentFs: true, absolutePaths: true, sessions: true, tty: true },
    ...{ stdin: true, streaming: true, binary: true, users: true, root: true },
    // A network with exceptions would need a firewall of ours on the daemon's machine: refused, not pretended.
    ...{ networkNone: true, networkAllowlist: false, ports: publishedHost !== null },
    ...{ snapshot: true, reattach: true, gpu: gpus, images: true },
    imageKinds: ['ref', 'build', 'snapshot'],
    ...{ killTree: 'pidns', isolation: 'container' },
    resourceLimits: { cpu: true, memory: true, pids: true, disk: diskQuota },
    usage: { cpu: true, memory: true, oom: true },
    ...{ readonlyRoot: true, mounts: true, shm: true, nesting: true },
    maxArgBytes: MAX_ARGUMENT_BYTES,
    maxUploadBytes: null,
    timeoutGranularityMs: isProgram ? 1 : 1000,
  };
}
