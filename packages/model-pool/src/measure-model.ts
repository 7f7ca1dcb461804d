import { createLastingController } from './_lasting-signal.ts';
import { observeModel } from './observe-model.ts';
import { createRequestStatistics } from './request-statistics.ts';
import type { PooledModel } from './types.ts';

/** One model without a pool around it, with the statistics that a pool keeps of its first endpoint. nowMs: a clock that never goes back. */
export function measureModel<M extends PooledModel>(
  model: M,
  nowMs: () => number,
): Readonly<{ model: M; stats: () => Readonly<Record<string, number>> }> {
  const statistics = createRequestStatistics();
  const watcher = {
    attempted: () => undefined,
    succeeded: ({ split }: { readonly split: 'train' | 'eval' }, ms: number, attempts: number) =>
      statistics.add(split, ms, attempts),
    failed: () => undefined,
  };
  const { signal: neverClosed } = createLastingController();
  return {
    model: observeModel(model, watcher, nowMs, neverClosed),
    stats: () => statistics.read('server/server_0'),
  };
}
