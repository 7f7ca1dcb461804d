import type { Clock } from '@hermes/protocol';
import {
  type CreateSandboxProvider,
  createProviderFromDriver,
  type SandboxDriver,
} from '@hermes/sandbox';
import { createHostDriver, findHostSupervisor, openSandboxHost } from '@hermes/sandbox/host';
import { createLocalLauncher } from './local-launcher.ts';
import {
  type LocalSandboxSettings,
  parseLocalSettings,
  type ResolvedLocalSettings,
} from './settings.ts';

/** The provider `local`: sandboxes on this machine. Throws SandboxError CONFIG for wrong settings. */
export const createSandboxProvider: CreateSandboxProvider = async (raw, { effects }) => {
  const settings = parseLocalSettings(raw);
  const { supervisor } = settings;
  return createProviderFromDriver(await openDriver(settings, effects?.clock), effects, {
    supervisor: supervisor === 'auto' ? findHostSupervisor('auto').kind : supervisor,
  });
};

/**
 * The driver below the provider, for those who wrap it. It tries bubblewrap and the control groups once, so that its
 * capabilities are the truth on this machine. Throws SandboxError CONFIG for wrong settings.
 */
export async function createLocalDriver(
  settings: LocalSandboxSettings = {},
  clock?: Pick<Clock, 'now'>,
): Promise<SandboxDriver> {
  return openDriver(parseLocalSettings(settings), clock);
}

async function openDriver(
  settings: ResolvedLocalSettings,
  clock?: Pick<Clock, 'now'>,
): Promise<SandboxDriver> {
  const host = await openSandboxHost(settings);
  return createHostDriver(await createLocalLauncher(settings, host), host, clock);
}
