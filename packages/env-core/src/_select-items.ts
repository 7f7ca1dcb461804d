import type { Random } from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';
import { nearestName } from '@hermes/sandbox';
import { globPattern } from './_glob.ts';
import type { Environment, Item } from './environment.ts';
import type { ItemFilter } from './run-options.ts';

/** An item and its place among all items of the environment. */
export type Selected<Data> = Readonly<{ item: Item<Data>; index: number }>;

/** Reads the items that the filter lets through. Throws a HermesError `config` when nothing is left or a name fits nothing. */
export async function selectItems<Data>(
  environment: Environment<Data>,
  filter: ItemFilter,
  random: Random,
  signal: AbortSignal,
  split: 'train' | 'eval' = 'eval',
): Promise<readonly Selected<Data>[]> {
  const names: string[] = [];
  const selected: Selected<Data>[] = [];
  const matches = matcher(filter);
  for await (const item of readItems(environment, { split, random, signal })) {
    if (matches(item)) selected.push({ item, index: names.length });
    names.push(item.id);
    if (hasEnough(selected, filter)) break;
  }
  if (signal.aborted) return [];
  refuseUnknown(filter, names);
  if (selected.length === 0) throw noItems(names);
  const ordered = filter.shuffle ? shuffled(selected, random.fork('shuffle')) : selected;
  return ordered.slice(0, filter.first ?? ordered.length);
}

async function* readItems<Data>(
  environment: Environment<Data>,
  {
    split,
    random,
    signal,
  }: Readonly<{ split: 'train' | 'eval'; random: Random; signal: AbortSignal }>,
): AsyncGenerator<Item<Data>> {
  const seen = new Set<string>();
  const query = { split, start: 0, random: random.fork('items') };
  try {
    for await (const item of environment.items(query)) {
      if (signal.aborted) return;
      if (seen.has(item.id)) throw duplicate(item.id);
      seen.add(item.id);
      yield item;
    }
  } catch (error) {
    throw HermesError.isInstance(error) ? error : itemsFailed(error);
  }
}

function matcher(filter: ItemFilter): (item: Item<unknown>) => boolean {
  const include = filter.include?.map(globPattern);
  const exclude = filter.exclude?.map(globPattern) ?? [];
  const tags = Object.entries(filter.tags ?? {});
  return ({ id, tags: own = {} }) =>
    (include?.some((pattern) => pattern.test(id)) ?? true) &&
    !exclude.some((pattern) => pattern.test(id)) &&
    tags.every(([name, value]) => own[name] === value);
}

/** Only where nothing that comes later can matter. */
function hasEnough(selected: readonly unknown[], filter: ItemFilter): boolean {
  if (filter.first === undefined || filter.shuffle || filter.include) return false;
  return selected.length >= filter.first;
}

function shuffled<T>(values: readonly T[], random: Random): readonly T[] {
  const result = [...values];
  for (let last = result.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random.next() * (last + 1));
    const [a, b] = [result[last], result[other]];
    if (a !== undefined && b !== undefined) [result[last], result[other]] = [b, a];
  }
  return result;
}

function refuseUnknown(filter: ItemFilter, names: readonly string[]): void {
  for (const glob of filter.include ?? []) {
    const pattern = globPattern(glob);
    if (names.some((name) => pattern.test(name))) continue;
    const close = nearestName(glob, names);
    const hint = close === null ? '' : ` Did you mean ${close}?`;
    throw config(`No item is called ${glob}.${hint} There are: ${listed(names)}`);
  }
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 20).join(', ');
  return names.length > 20 ? `${shown}, and ${names.length - 20} more` : shown;
}

function noItems(names: readonly string[]): HermesError {
  if (names.length === 0) return config('The environment has no items');
  return config(`No item passes the filters. There are: ${listed(names)}`);
}

function config(message: string): HermesError {
  return new HermesError('config', 'NO_ITEMS', message);
}

function duplicate(id: string): HermesError {
  return new HermesError('data', 'DUPLICATE_ITEM', `The environment has two items of the id ${id}`);
}

function itemsFailed(error: unknown): HermesError {
  const message = error instanceof Error ? error.message : String(error);
  return new HermesError('environment', 'ITEMS_FAILED', `Reading the items failed: ${message}`, {
    cause: error,
  });
}
