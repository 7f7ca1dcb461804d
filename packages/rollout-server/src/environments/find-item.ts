import type { Environment, Item, ItemQuery } from '@hermes/env-core';
import type { JsonObject } from '@hermes/protocol';
import { unlessAborted } from '../_unless-aborted.ts';
import { Refusal } from '../http/refusal.ts';

/** Which item is meant. */
export type ItemChoice = Readonly<
  | { by: 'id'; id: string }
  | { by: 'index'; index: number }
  /** By index, starting over where there are no more. */
  | { by: 'turn'; index: number }
  | { by: 'row'; row: JsonObject }
>;

/** An item and its place. */
export type FoundItem = Readonly<{ item: Item<unknown>; index: number }>;

/** random: of the run's seed; the items come out of a fork, as in an evaluation. */
export type ItemSource = Pick<ItemQuery, 'split' | 'random'>;

/** Throws a Refusal where there is no such item, and the signal's reason when it fires. */
export async function findItem(
  environment: Environment,
  choice: ItemChoice,
  query: ItemSource,
  signal: AbortSignal,
): Promise<FoundItem> {
  if (choice.by === 'row') return { item: itemFrom(environment, choice.row), index: 0 };
  const found = await unlessAborted(search(environment, choice, query, signal), signal);
  if (found !== null) return found;
  const meant =
    choice.by === 'id'
      ? `item_id: there is no ${choice.id}`
      : `index: there is no item ${choice.index}`;
  throw new Refusal(404, 'item_unknown', `${meant} in the split ${query.split}.`);
}

async function search(
  environment: Environment,
  choice: Exclude<ItemChoice, { by: 'row' }>,
  query: ItemSource,
  signal: AbortSignal,
): Promise<FoundItem | null> {
  if (choice.by === 'id') return byId(environment, choice.id, query, signal);
  const found = await at(environment, choice.index, query);
  if (found !== null || choice.by === 'index') return found;
  const count = await countItems(environment, query, signal);
  return count === 0 ? null : at(environment, choice.index % count, query);
}

async function byId(
  environment: Environment,
  id: string,
  query: ItemSource,
  signal: AbortSignal,
): Promise<FoundItem | null> {
  let index = 0;
  for await (const item of itemsFrom(environment, query, 0)) {
    signal.throwIfAborted();
    if (item.id === id) return { item, index };
    index += 1;
  }
  return null;
}

async function at(
  environment: Environment,
  index: number,
  query: ItemSource,
): Promise<FoundItem | null> {
  for await (const item of itemsFrom(environment, query, index)) return { item, index };
  return null;
}

async function countItems(
  environment: Environment,
  query: ItemSource,
  signal: AbortSignal,
): Promise<number> {
  let count = 0;
  for await (const _item of itemsFrom(environment, query, 0)) {
    signal.throwIfAborted();
    count += 1;
  }
  return count;
}

function itemsFrom(
  environment: Environment,
  { split, random }: ItemSource,
  start: number,
): AsyncIterable<Item<unknown>> {
  return environment.items({ split, start, random: random.fork('items') });
}

function itemFrom(environment: Environment, row: JsonObject): Item<unknown> {
  if (environment.itemFrom !== undefined) return environment.itemFrom(row);
  const advice = 'it takes none from outside: name one by item_id or index';
  throw new Refusal(
    400,
    'row_unsupported',
    `row: the environment has its own items, and ${advice}.`,
  );
}
