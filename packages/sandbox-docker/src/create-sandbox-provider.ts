import {
  type CreateSandboxProvider,
  createProviderFromDriver,
  type SandboxDriver,
} from '@hermes/sandbox';
import { DockerDriver } from './docker-driver.ts';
import { connectEngine } from './engine.ts';
import { type DockerSandboxSettings, parseDockerSettings } from './settings.ts';

/** The provider `docker`: a container for each sandbox. Throws SandboxError CONFIG for wrong settings; the daemon is first asked by `preflight`. */
export const createSandboxProvider: CreateSandboxProvider = async (raw, { effects }) => {
  const settings = parseDockerSettings(raw);
  const driver = new DockerDriver(connectEngine(settings), settings, effects?.clock);
  return createProviderFromDriver(driver, effects, { supervisor: settings.supervisor });
};

/** The driver below the provider, for those who wrap it. Throws SandboxError CONFIG for wrong settings. */
export function createDockerDriver(raw: DockerSandboxSettings = {}): SandboxDriver {
  const settings = parseDockerSettings(raw);
  return new DockerDriver(connectEngine(settings), settings);
}
