import type { GatewayEffects } from '../_effects.ts';
import type { SessionTable } from './session-table.ts';

const LONGEST_PAUSE_MS = 60_000;

/** Looks for unused sessions until the signal fires. */
export async function keepSweeping(
  table: SessionTable,
  idleMs: number,
  { clock, logger }: GatewayEffects,
  signal: AbortSignal,
): Promise<void> {
  const pauseMs = Math.min(Math.max(idleMs / 4, 1), LONGEST_PAUSE_MS);
  while (!signal.aborted) {
    await clock.sleep(pauseMs, signal).catch(() => undefined);
    if (!signal.aborted)
      await table.sweep().catch((error: unknown) => {
        logger.log('error', `Ending an unused session failed: ${String(error)}`);
      });
  }
}
