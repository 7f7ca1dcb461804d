export { createSandboxServer } from './create-sandbox-server.ts';
export type { SandboxServer, SandboxServerOptions, ServerLimits } from './types.ts';
