import type { Capabilities, SandboxSpec } from '@hermes/sandbox';
import type { HostKind } from './host-kind.ts';
import type { ResolvedSettings } from './settings.ts';

/** The label that inner sandboxes of pools carry; its value names the pool. */
export const POOL_LABEL = 'hermes.slots';

/** For the inner sandbox's own supervisor, and for what makes a slot. */
const OWN_PIDS = 256;
const PIDS_BESIDE_A_SLOT = 16;

type HostRequest = Readonly<{
  kind: HostKind;
  lifetimeMs: number;
  poolId: string;
  idempotencyKey: string;
  run?: string;
}>;

/** The inner sandbox that shall hold slots of a kind, the first of which wants to live for `lifetimeMs`. */
export function innerSpec(
  capabilities: Capabilities,
  settings: ResolvedSettings,
  { kind, lifetimeMs, poolId, idempotencyKey, run }: HostRequest,
): SandboxSpec {
  return {
    ...(kind.image === null ? {} : { image: kind.image }),
    ...networkOf(kind, capabilities),
    nesting: true,
    resources: resourcesOf(settings, capabilities),
    // A lease that is given when it is nearly worn out shall still have its time.
    lifetimeMs: settings.maxAgeMs + lifetimeMs,
    labels: { [POOL_LABEL]: poolId, ...(run === undefined ? {} : { 'hermes.run': run }) },
    idempotencyKey,
  };
}

/** A host that cannot be without a network has slots that are. */
function networkOf(
  { network }: HostKind,
  { networkNone }: Capabilities,
): Pick<SandboxSpec, 'network'> {
  if (network === 'none' && !networkNone) return {};
  return { network: { mode: network } };
}

function resourcesOf(
  { sandbox, slot, slotsPerSandbox }: ResolvedSettings,
  { resourceLimits }: Capabilities,
): NonNullable<SandboxSpec['resources']> {
  const pids = OWN_PIDS + slotsPerSandbox * (slot.pids + PIDS_BESIDE_A_SLOT);
  const given = Object.entries(sandbox).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(given), ...(resourceLimits.pids ? { pids } : {}) };
}
