import { HermesError } from '@hermes/protocol';

/** What a million tokens of each kind cost, in USD. */
export type TokenPrice = Readonly<{
  input: number;
  output: number;
  /** Input that the server had in its cache. Absent: not known, and calls with cached tokens have no cost. */
  cached?: number | null;
  /** Input that was written into the cache. Absent: not known. */
  cacheWrite?: number | null;
}>;

/** Looks prices up by model. */
export interface TokenPriceTable {
  /** null = the model has no price: its calls have no cost, rather than a cost of 0. */
  price(modelId: string): Readonly<{
    input: number;
    output: number;
    cached: number | null;
    cacheWrite: number | null;
  }> | null;
}

const NAMES: ReadonlySet<string> = new Set(['input', 'output', 'cached', 'cacheWrite']);

/**
 * A price table from a user's configuration: model name to prices. A name that ends in `*` stands for
 * all that begin like it; the longest one counts. Throws `CONFIG` with the path of what is wrong.
 */
export function createPriceTable(prices: Readonly<Record<string, TokenPrice>>): TokenPriceTable {
  const table = new Map(
    Object.entries(prices).map(([model, given]) => [model, checked(model, given)]),
  );
  const patterns = [...table.keys()].filter((model) => model.endsWith('*'));
  patterns.sort((one, other) => other.length - one.length);
  return {
    price(modelId) {
      const pattern = patterns.find((each) => modelId.startsWith(each.slice(0, -1)));
      return table.get(modelId) ?? table.get(pattern ?? '') ?? null;
    },
  };
}

type ModelPrice = NonNullable<ReturnType<TokenPriceTable['price']>>;

function checked(model: string, given: unknown): ModelPrice {
  if (typeof given !== 'object' || given === null)
    refuse(model, 'has to be an object with input and output');
  const unknown = Object.keys(given).find((name) => !NAMES.has(name));
  if (unknown !== undefined)
    refuse(`${model}.${unknown}`, `is unknown; there are ${[...NAMES].join(', ')}`);
  return {
    input: amount(model, given, 'input') ?? refuse(`${model}.input`, 'is missing'),
    output: amount(model, given, 'output') ?? refuse(`${model}.output`, 'is missing'),
    cached: amount(model, given, 'cached'),
    cacheWrite: amount(model, given, 'cacheWrite'),
  };
}

function amount(model: string, given: object, name: string): number | null {
  const value: unknown = Reflect.get(given, name);
  if (value === undefined || value === null) return null;
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
  return refuse(`${model}.${name}`, 'has to be USD per million tokens, a number from 0 on');
}

function refuse(path: string, rule: string): never {
  throw new HermesError('config', 'CONFIG', `The price ${path} ${rule}.`);
}
