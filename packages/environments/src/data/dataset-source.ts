import type { DatasetSource, HubSource } from '@hermes/datasets';
import { parseDatasetSource } from '@hermes/datasets';
import type { ItemQuery } from '@hermes/env-core';
import { packageFile } from '../package-file.ts';
import type { DatasetKeys } from './dataset-keys.ts';

/** Where an environment's problems come from: what its configuration says, and what it has by itself. */
export type ProblemPlaces = Readonly<{
  keys: DatasetKeys;
  /** Read where the configuration names nothing; null: the built-in problems. */
  hub: HubPlace | null;
  /** The package's own problems, below its folder `problems`. */
  builtin: string;
  columns: readonly string[];
}>;

/** splits: of the hub, for those that are evaluated and trained on. */
type HubPlace = Pick<HubSource, 'id' | 'config'> &
  Readonly<{ splits: Readonly<Record<ItemQuery['split'], string>> }>;

/** The source that the configuration names, for one purpose. */
export function datasetSource(
  { keys, hub, builtin, columns }: ProblemPlaces,
  purpose: ItemQuery['split'],
): DatasetSource {
  const own = hub === null ? null : ownSource(hub, keys.datasetSplit ?? hub.splits[purpose]);
  const named = namedDataset(keys);
  if (named === null && own !== null) return { ...own, columns };
  if (named === null || named === 'builtin')
    return { kind: 'file', path: packageFile(`problems/${builtin}`), columns };
  const source = parseDatasetSource(named);
  if (source.kind !== 'hub' || source.path !== undefined) return { ...source, columns };
  if (source.id === own?.id) return { ...own, ...source, columns };
  return { ...splitOf(keys), ...source, columns };
}

function ownSource({ id, config }: HubPlace, split: string): HubSource {
  return { kind: 'hub', id, ...(config === undefined ? {} : { config }), split };
}

function splitOf({ datasetSplit }: DatasetKeys): Pick<HubSource, 'split'> {
  return datasetSplit === undefined ? {} : { split: datasetSplit };
}

/** What `dataset` would have to be for what is given; null: nothing is. */
export function namedDataset({ dataset, datasetName }: DatasetKeys): string | null {
  if (dataset !== undefined) return dataset;
  if (datasetName === undefined || datasetName === null) return null;
  return isOnHub(datasetName) ? `hf://${datasetName}` : datasetName;
}

/** `OWNER/NAME`, and neither `./rows` nor `rows/test.jsonl`. */
function isOnHub(name: string): boolean {
  const hasOwner = /^[\w-][\w.-]*\/[\w.-]+$/.test(name);
  return hasOwner && parseDatasetSource(name).kind !== 'file';
}
