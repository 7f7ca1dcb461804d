import type { SandboxProvider } from '@hermes/sandbox';
import type { SlotPoolStats } from './pool-stats.ts';

/** A provider of sandboxes that says how its pool does. */
export interface SlotPoolProvider extends SandboxProvider {
  /** Counts of this moment, and of the waiting so far. */
  stats(): SlotPoolStats;
}
