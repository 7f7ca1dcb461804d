import type { Clock } from '@hermes/protocol';
import {
  type CreateSandboxProvider,
  createProviderFromDriver,
  type SandboxDriver,
} from '@hermes/sandbox';
import { createHostDriver, findHostSupervisor, openSandboxHost } from '@hermes/sandbox/host';
import { createLocalLauncher } from './local-launcher.ts';
import { type LocalSandboxSettings, parseLocalSettings } from './settings.ts';

/** The provider `local`: sandboxes on this machine. Throws SandboxError CONFIG for wrong settings. */
export const createSandboxProvider: CreateSandboxProvider = async (raw, { effects }) => {
  const settings = parseLocalSettings(raw);
  const { kind: supervisor } = findHostSupervisor(settings.supervisor);
  const driver = await createLocalDriver(settings, effects?.clock);
  return createProviderFromDriver(driver, effects, { supervisor });
};

/**
 * The driver below the provider, for those who wrap it. It tries bubblewrap and the control groups once, so that its
 * capabilities are the truth on this machine. Throws SandboxError CONFIG for wrong settings.
 */
export async function createLocalDriver(
  raw: LocalSandboxSettings = {},
  clock?: Pick<Clock, 'now'>,
): Promise<SandboxDriver> {
  const settings = parseLocalSettings(raw);
  const host = await openSandboxHost(settings);
  return createHostDriver(await createLocalLauncher(settings, host), host, clock);
}
