export type { LocalSandboxSettings, SlotPoolSettings } from './types.ts';
