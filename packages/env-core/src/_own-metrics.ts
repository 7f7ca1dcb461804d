import type { RolloutRecord } from '@hermes/protocol';
import type { RunContext } from './_run-context.ts';

/** What the environment makes of the records itself. Its failure is logged: it takes neither the summary nor the run away. */
export function ownMetrics<Data>(
  { options, effects }: RunContext<Data>,
  records: readonly RolloutRecord[],
): Readonly<Record<string, number>> {
  try {
    return options.environment.aggregate?.(records) ?? {};
  } catch (error) {
    const { id } = options.definition;
    effects.logger.log('error', `The own metrics of ${id} are left out: ${String(error)}`);
    return {};
  }
}
