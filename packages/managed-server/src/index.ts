// A model in token space.
export { createManagedServer } from './create-managed-server.ts';
export type { ManagedServer, ManagedServerOptions, ManagedSession } from './types.ts';
