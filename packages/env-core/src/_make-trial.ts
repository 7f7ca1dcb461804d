import type { Item } from './environment.ts';
import type { RunOptions, Trial } from './run-options.ts';
import { seedsOf, trialKey } from './trial-key.ts';

/** Where a trial stands in its run. index: of its item, or of its group. */
export type TrialPlace = Readonly<{
  index: number;
  attempt: number;
  groupId: string | null;
  split: 'train' | 'eval';
}>;

/** One attempt at an item, with the key and the seeds that follow from it. */
export function makeTrial<Data>(
  options: RunOptions<Data>,
  item: Item<Data>,
  { index, attempt, groupId, split }: TrialPlace,
): Trial<Data> {
  const { id, version, configDigest } = options.definition;
  const { provider, modelId } = options.model;
  const identity = {
    environment: { id, version, configDigest },
    datasetRevision: options.environment.datasetRevision,
    itemId: item.id,
    model: { provider, modelId },
    sampling: options.sampling,
    attempt,
  };
  const key = trialKey(identity);
  const seeds = seedsOf(options.seed ?? 0, key);
  return { identity, trialKey: key, item, itemIndex: index, groupId, seeds, split };
}
