import type { Clock } from '@hermes/protocol';
import {
  type CreateSandboxProvider,
  createProviderFromDriver,
  type SandboxDriver,
} from '@hermes/sandbox';
import { parseSshSettings } from './parse-settings.ts';
import type { SshSandboxSettings } from './settings.ts';
import { SshDriver } from './ssh-driver.ts';

/**
 * The provider `ssh`: sandboxes on a host that is reached by ssh, whose capabilities are what the host was found to give. Throws
 * SandboxError CONFIG for wrong settings; that a host cannot be reached is said by `preflight` and `create`.
 */
export const createSandboxProvider: CreateSandboxProvider = async (raw, { effects }) => {
  const { supervisor } = parseSshSettings(raw);
  const driver = await createSshDriver(raw as SshSandboxSettings, effects?.clock);
  return createProviderFromDriver(driver, effects, { supervisor });
};

/** The driver below the provider, for those who wrap it. Throws SandboxError CONFIG for wrong settings. */
export async function createSshDriver(
  raw: SshSandboxSettings = {},
  clock?: Pick<Clock, 'now'>,
): Promise<SandboxDriver> {
  const driver = new SshDriver(parseSshSettings(raw), clock);
  await driver.open();
  return driver;
}
