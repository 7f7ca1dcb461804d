import type { Clock } from '@hermes/protocol';
import {
  type CreateSandboxProvider,
  createProviderFromDriver,
  type SandboxDriver,
} from '@hermes/sandbox';
import { LocalDriver } from './local-driver.ts';
import { probeHost } from './probe-host.ts';
import { type LocalSandboxSettings, parseLocalSettings } from './settings.ts';

const systemClock: Pick<Clock, 'now'> = {
  now: () => ({ wallMs: Date.now(), monoMs: performance.now() }),
};

/** The provider `local`: sandboxes on this machine. Throws SandboxError CONFIG for wrong settings. */
export const createSandboxProvider: CreateSandboxProvider = async (settings, context) => {
  const { supervisor, ...parsed } = parseLocalSettings(settings);
  const host = await probeHost({ ...parsed, supervisor });
  const driver = new LocalDriver(host, context.effects?.clock ?? systemClock);
  const isScript = supervisor === 'auto' && host.program === null;
  return createProviderFromDriver(driver, context.effects, {
    supervisor: isScript ? 'sh' : supervisor,
  });
};

/**
 * The driver below the provider, for those who wrap it. It tries bubblewrap and the control groups once, so that its
 * capabilities are the truth on this machine. Throws SandboxError CONFIG for wrong settings.
 */
export async function createLocalDriver(
  settings: LocalSandboxSettings = {},
  clock: Pick<Clock, 'now'> = systemClock,
): Promise<SandboxDriver> {
  return new LocalDriver(await probeHost(parseLocalSettings(settings)), clock);
}
