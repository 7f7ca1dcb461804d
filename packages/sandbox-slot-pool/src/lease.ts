import type { SlotHost } from './slot-host.ts';

/** The right to one slot of an inner sandbox. Its name is never given again, so nothing of it passes for a later one's. */
export type Lease = Readonly<{
  host: SlotHost;
  index: number;
  generation: number;
  /** `INDEX-gGENERATION`. */
  name: string;
  /** Fires when the inner sandbox is gone. */
  gone: AbortSignal;
}>;
