import type { Capabilities } from '@hermes/sandbox';
import type { ResolvedSettings } from './settings.ts';
import type { SlotProbe } from './slot-host.ts';

/** Linux takes no longer single argument. */
const MAX_ARGUMENT_BYTES = 131_071;

/** What slots can do in sandboxes of this inner provider; before one was looked into, as far as root can be expected to. */
export function slotCapabilities(
  inner: Capabilities,
  { images, network }: Pick<ResolvedSettings, 'images' | 'network'>,
  probe: SlotProbe | null,
): Capabilities {
  const has = (controller: string) => probe === null || probe.controllers.includes(controller);
  return {
    ...{ shell: true, persistentFs: true, absolutePaths: true, sessions: true, tty: true },
    ...{ stdin: true, streaming: true, binary: true, users: true, root: true },
    ...{ networkNone: true, networkAllowlist: false, ports: true, snapshot: false },
    // A slot lives as long as the channel over which it was started.
    ...{ reattach: false, gpu: false },
    images: images && inner.images === true,
    imageKinds: images ? (inner.imageKinds ?? (inner.images === true ? ['ref', 'build'] : [])) : [],
    ...{ killTree: 'pidns', isolation: 'container' },
    resourceLimits: { cpu: has('cpu'), memory: has('memory'), pids: has('pids'), disk: true },
    usage: { cpu: has('cpuacct') || has('cpu'), memory: has('memory'), oom: has('memory') },
    ...{ readonlyRoot: false, mounts: false, shm: true, nesting: false },
    // Slots with an open network have that of the inner sandbox.
    sharedPorts: network === 'open',
    maxArgBytes: MAX_ARGUMENT_BYTES,
    maxUploadBytes: null,
    timeoutGranularityMs: 1,
  };
}
