export { createSandboxProvider } from './create-sandbox-provider.ts';
export type { SlotPoolStats, WaitStats } from './pool-stats.ts';
export type { InnerProviderSettings, SlotLimits, SlotPoolSettings } from './settings.ts';
export type { SlotPoolProvider } from './slot-pool-provider.ts';
