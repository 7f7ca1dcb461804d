export { createSandboxProvider, createSshDriver } from './create-sandbox-provider.ts';
export type { SshHopSettings, SshSandboxSettings } from './settings.ts';
