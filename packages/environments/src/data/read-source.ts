import type { Dataset, DatasetSource } from '@hermes/datasets';
import { datasetSettings, openDataset } from '@hermes/datasets';
import type { EnvironmentContext, Item } from '@hermes/env-core';
import type { JsonObject } from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';
import { namedDataset, type ProblemPlaces } from './dataset-source.ts';

/** Makes an item of a row; throws an Error that says what is wrong with the row. index: 0-based. */
export type ReadRow<Data> = (row: JsonObject, index: number) => Item<Data>;

/** Reads and checks all rows of one source. Throws HermesError `data` or `config`: one sentence on what is wrong. */
export async function readSource<Data>(
  source: DatasetSource,
  places: ProblemPlaces,
  readRow: ReadRow<Data>,
  context: EnvironmentContext,
): Promise<Readonly<{ revision: string; items: readonly Item<Data>[] }>> {
  const dataset = await open(source, places, context);
  try {
    const items = await readItems(dataset, nameOf(places), readRow, context.signal);
    return { revision: dataset.revision, items };
  } finally {
    await dataset.close();
  }
}

async function open(
  source: DatasetSource,
  { keys }: ProblemPlaces,
  { effects, signal, variables = {} }: EnvironmentContext,
): Promise<Dataset> {
  const { clock, logger } = effects;
  const options = { ...(await datasetSettings(variables)), clock, logger, signal };
  try {
    return await openDataset(source, options);
  } catch (error) {
    throw source.kind === 'hub' && namedDataset(keys) === null ? withWayOut(error) : error;
  }
}

/** Who only wants to try it out needs no hub. */
function withWayOut(error: unknown): unknown {
  if (!HermesError.isInstance(error) || error.code === 'CANCELLED') return error;
  const { boundary, code, retryable, details } = error;
  const message = `${error.message.replace(/\.$/, '')}; or give a file with --dataset PATH, or --dataset builtin for a few problems that need no network`;
  return new HermesError(boundary, code, message, {
    retryable,
    cause: error,
    ...(details === undefined ? {} : { details }),
  });
}

async function readItems<Data>(
  dataset: Dataset,
  name: string,
  readRow: ReadRow<Data>,
  signal: AbortSignal,
): Promise<readonly Item<Data>[]> {
  const items = new Map<string, Item<Data>>();
  let index = 0;
  for await (const row of dataset.rows(0, signal)) {
    const item = readNamed(name, row, index, readRow);
    if (items.has(item.id)) throw badData(`${name}: two rows have the id ${item.id}`);
    items.set(item.id, item);
    index += 1;
  }
  if (items.size === 0) throw badData(`${name} has no rows: choose another file or data set`);
  return [...items.values()];
}

function readNamed<Data>(
  name: string,
  row: JsonObject,
  index: number,
  readRow: ReadRow<Data>,
): Item<Data> {
  try {
    return readRow(row, index);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw badData(`${name}, row ${index + 1}: ${reason}`, error);
  }
}

function nameOf({ keys, hub }: ProblemPlaces): string {
  return namedDataset(keys) ?? hub?.id ?? 'builtin';
}

function badData(message: string, cause?: unknown): HermesError {
  return new HermesError('data', 'ROW_INVALID', message, cause === undefined ? {} : { cause });
}
