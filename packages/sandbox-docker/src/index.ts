export { createDockerDriver, createSandboxProvider } from './create-sandbox-provider.ts';
export type { DockerSandboxSettings } from './settings.ts';
