import type { DatasetSource, HubSource } from '@hermes/datasets';
import { parseDatasetSource } from '@hermes/datasets';
import { packageFile } from '../package-file.ts';

/** Where an environment's problems come from: what its configuration says, and what it has by itself. */
export type ProblemPlaces = Readonly<{
  /** `builtin`, an address on the hub, or a path; absent: `hub`. */
  dataset: string | undefined;
  hub: Pick<HubSource, 'id' | 'config' | 'split'>;
  /** The package's own problems, below its folder `problems`. */
  builtin: string;
  columns: readonly string[];
}>;

/** The source that the configuration names. */
export function datasetSource({ dataset, hub, builtin, columns }: ProblemPlaces): DatasetSource {
  if (dataset === undefined) return { kind: 'hub', ...hub, columns };
  if (dataset === 'builtin')
    return { kind: 'file', path: packageFile(`problems/${builtin}`), columns };
  const source = parseDatasetSource(dataset);
  const isOwn = source.kind === 'hub' && source.id === hub.id && source.path === undefined;
  return isOwn ? { ...hub, ...source, columns } : { ...source, columns };
}
