import type { SandboxNeeds } from '@hermes/env-core';
import type { Capabilities } from '@hermes/sandbox';

/** No network; where a sandbox cannot do that, the record is marked. */
export function closedNetwork({ networkNone }: Capabilities): SandboxNeeds {
  return networkNone ? { network: { mode: 'none' } } : { marks: ['network_open'] };
}
