import { createProviderFromDriver, type ProviderContext } from '@hermes/sandbox';
import { poolEffects } from './_effects.ts';
import { parseSlotPoolSettings } from './settings.ts';
import { SlotPoolDriver } from './slot-pool-driver.ts';
import type { SlotPoolProvider } from './slot-pool-provider.ts';

/**
 * The provider `slot-pool`: many sandboxes in each container or host of an inner provider, which it opens through
 * `openProvider` and closes itself. Throws SandboxError CONFIG for wrong settings; nothing is started yet.
 */
export async function createSandboxProvider(
  raw: unknown,
  { openProvider, effects }: ProviderContext,
): Promise<SlotPoolProvider> {
  const settings = parseSlotPoolSettings(raw);
  const inner = await openProvider(settings.inner.provider, settings.inner.settings);
  const driver = new SlotPoolDriver(inner, settings, poolEffects(effects));
  // The sh script cannot make slots.
  const provider = createProviderFromDriver(driver, effects, { supervisor: 'go' });
  return { ...provider, stats: () => driver.stats() };
}
