import {
  type CreateSandboxProvider,
  createProviderFromDriver,
  type SandboxDriver,
} from '@hermes/sandbox';
import { parseSshSettings, type SshSandboxSettings } from './settings.ts';
import { SshDriver } from './ssh-driver.ts';

/** The provider `ssh`: sandboxes on a host that is reached by ssh. Throws SandboxError CONFIG for wrong settings; the host is first asked by `preflight`. */
export const createSandboxProvider: CreateSandboxProvider = async (raw, { effects }) => {
  const settings = parseSshSettings(raw);
  const driver = new SshDriver(settings, effects?.clock);
  return createProviderFromDriver(driver, effects, { supervisor: settings.supervisor });
};

/** The driver below the provider, for those who wrap it. Throws SandboxError CONFIG for wrong settings. */
export function createSshDriver(raw: SshSandboxSettings = {}): SandboxDriver {
  return new SshDriver(parseSshSettings(raw));
}
