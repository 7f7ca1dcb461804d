import type { DatasetSource, HubSource } from '@hermes/datasets';
import { parseDatasetSource } from '@hermes/datasets';
import { packageFile } from '../package-file.ts';

/** Where an environment's problems come from: what its configuration says, and what it has by itself. */
export type ProblemPlaces = Readonly<{
  /** `builtin`, an address on the hub, or a path; absent: `hub`. */
  dataset: string | undefined;
  /** null: the built-in problems are all there is by default. */
  hub: Pick<HubSource, 'id' | 'config' | 'split'> | null;
  /** The package's own problems, below its folder `problems`. */
  builtin: string;
  columns: readonly string[];
}>;

/** The source that the configuration names. */
export function datasetSource({ dataset, hub, builtin, columns }: ProblemPlaces): DatasetSource {
  if (dataset === undefined && hub !== null) return { kind: 'hub', ...hub, columns };
  if (dataset === undefined || dataset === 'builtin')
    return { kind: 'file', path: packageFile(`problems/${builtin}`), columns };
  const source = parseDatasetSource(dataset);
  if (source.kind !== 'hub' || source.id !== hub?.id || source.path !== undefined)
    return { ...source, columns };
  return { ...hub, ...source, columns };
}
