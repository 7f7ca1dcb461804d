import type { DatasetSource } from '@hermes/datasets';
import type { EnvironmentContext, Item, ItemQuery } from '@hermes/env-core';
import { datasetSource, type ProblemPlaces } from './dataset-source.ts';
import { type ReadRow, readSource } from './read-source.ts';

/** All problems of a data set, checked. */
export type Problems<Data> = Readonly<{
  revision: string;
  /** In their fixed order. Where others are trained on than evaluated on, those are read when they are first asked for. */
  items: (query: Pick<ItemQuery, 'split' | 'start'>) => AsyncIterable<Item<Data>>;
}>;

/** Reads and checks the problems to evaluate on before anything is started. Throws as `readSource` does. */
export async function readProblems<Data>(
  places: ProblemPlaces,
  readRow: ReadRow<Data>,
  context: EnvironmentContext,
): Promise<Problems<Data>> {
  const read = (source: DatasetSource) => readSource(source, places, readRow, context);
  const evaluated = datasetSource(places, 'eval');
  const { revision, items } = await read(evaluated);
  const toTrainOn = trainingSource(places, evaluated, revision);
  let trainingItems: Promise<readonly Item<Data>[]> | null = null;
  const itemsOf = async (split: ItemQuery['split']): Promise<readonly Item<Data>[]> => {
    if (split === 'eval' || toTrainOn === null) return items;
    const reading = trainingItems ?? read(toTrainOn).then((problems) => problems.items);
    trainingItems = reading;
    return reading.catch((error: unknown) => {
      // a hub that was away may be there the next time
      if (trainingItems === reading) trainingItems = null;
      throw error;
    });
  };
  return {
    revision,
    async *items({ split, start }) {
      yield* (await itemsOf(split)).slice(start);
    },
  };
}

/** What is trained on, of the same commit; null: what is evaluated on. */
function trainingSource(
  places: ProblemPlaces,
  evaluated: DatasetSource,
  revision: string,
): DatasetSource | null {
  const source = datasetSource(places, 'train');
  if (source.kind !== 'hub' || evaluated.kind !== 'hub') return null;
  return source.split === evaluated.split ? null : { ...source, revision };
}
