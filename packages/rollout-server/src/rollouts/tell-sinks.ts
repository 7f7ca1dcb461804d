import type { RolloutRecord } from '@hermes/protocol';
import type { ServerContext } from '../context.ts';

/** Hands a record to every sink. One that fails is logged: the caller still gets the rollout. */
export async function tellSinks(
  { run, effects }: Pick<ServerContext, 'run' | 'effects'>,
  record: RolloutRecord,
): Promise<void> {
  for (const sink of run.sinks)
    await sink.record?.(record).catch((error: unknown) => {
      effects.logger.log('error', `A sink failed: ${String(error)}`);
    });
}
