import type { Capabilities } from '@hermes/sandbox';
import { z } from 'zod';
import type { Lease } from '../slots/lease.ts';
import { failed, type ToolAnswer } from './tool.ts';

/** What commands can demand of the isolation, each apart. */
export const isolationArguments: Readonly<
  Record<'allow_network' | 'require_sandbox', z.ZodDefault<z.ZodBoolean>>
> = {
  allow_network: z.boolean().default(true),
  require_sandbox: z.boolean().default(false),
};

type Demands = Readonly<{ allow_network: boolean; require_sandbox: boolean }>;

/** null: the provider can keep it; else the refusal. Nothing weaker is run instead. */
export function refuseIsolation(
  { allow_network: allowNetwork, require_sandbox: requireSandbox }: Demands,
  { isolation, networkNone }: Capabilities,
): ToolAnswer | null {
  const metadata = { sandboxed: isolation !== 'none', requires_bwrap: true };
  if (requireSandbox && isolation === 'none')
    return failed('require_sandbox: this server isolates nothing', metadata);
  if (!allowNetwork && !networkNone)
    return failed('allow_network=false: this server cannot take the network away', metadata);
  return null;
}

/** What held for a command. */
export function isolationOf({ sandbox, isNetworkIsolated }: Lease): ToolAnswer['metadata'] {
  const sandboxed = sandbox.info.isolation !== 'none';
  return {
    sandboxed,
    network_isolated: isNetworkIsolated,
    ...(sandboxed ? {} : { sandbox_fallback: true }),
  };
}
