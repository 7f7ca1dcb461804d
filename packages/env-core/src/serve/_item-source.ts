import type { Random } from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';
import type { DataPosition } from '../_group-log.ts';
import type { Environment, Item } from '../environment.ts';

/** An item on its way into a group, and where it stands in the data. */
export type Drawn<Data> = Readonly<{ item: Item<Data>; at: DataPosition }>;

/** The items of a training run, one after the other and without end: after the last one it begins anew. */
export type ItemSource<Data> = Readonly<{
  /** Throws NO_ITEMS, or ITEMS_FAILED when they cannot be read. */
  next: () => Promise<Drawn<Data>>;
  close: () => Promise<void>;
}>;

/** Begins at a position that an earlier process has left. */
export function openItemSource<Data>(
  environment: Environment<Data>,
  random: Random,
  from: DataPosition,
): ItemSource<Data> {
  let at = from;
  let items = openEpoch(environment, random, at);
  const next = async (): Promise<Drawn<Data>> => {
    const step = await items.next();
    if (step.done) {
      if (at.item === 0) throw noItems();
      at = { ...at, epoch: at.epoch + 1, item: 0 };
      items = openEpoch(environment, random, at);
      return next();
    }
    const drawn = { item: step.value, at };
    at = { ...at, group: at.group + 1, item: at.item + 1 };
    return drawn;
  };
  return {
    next: () => next().catch(asItemsFailed),
    close: async () => {
      await items.return?.();
    },
  };
}

/** Every epoch draws its own numbers, for environments that shuffle or generate. */
function openEpoch<Data>(
  environment: Environment<Data>,
  random: Random,
  { epoch, item: start }: DataPosition,
): AsyncIterator<Item<Data>> {
  const query = { split: 'train', start, random: random.fork(`items/${epoch}`) } as const;
  return environment.items(query)[Symbol.asyncIterator]();
}

function noItems(): HermesError {
  return new HermesError('config', 'NO_ITEMS', 'The environment has no items to train on');
}

function asItemsFailed(error: unknown): never {
  if (HermesError.isInstance(error)) throw error;
  const message = error instanceof Error ? error.message : String(error);
  throw new HermesError('environment', 'ITEMS_FAILED', `Reading the items failed: ${message}`, {
    cause: error,
  });
}
