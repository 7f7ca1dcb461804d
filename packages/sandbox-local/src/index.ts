export { createLocalDriver, createSandboxProvider } from './create-sandbox-provider.ts';
export type { LocalSandboxSettings } from './settings.ts';
