import type { Split } from './types.ts';

/** How the calls of one endpoint went, over the last thousand of each kind. */
export interface RequestStatistics {
  /** A call that brought a result. */
  add(split: Split, durationMs: number, attempts: number): void;
  /** Under the names `<prefix>_request_time_avg` and so on, in seconds; what is not known is absent. */
  read(prefix: string): Record<string, number>;
}

const KEPT = 1000;

type Samples = { readonly seconds: number[]; readonly attempts: number[] };

export function createRequestStatistics(): RequestStatistics {
  const samples: Readonly<Record<Split, Samples>> = {
    train: { seconds: [], attempts: [] },
    eval: { seconds: [], attempts: [] },
  };
  return {
    add: (split, durationMs, attempts) => {
      push(samples[split].seconds, durationMs / 1000);
      push(samples[split].attempts, attempts);
    },
    read: (prefix) => ({
      ...times(`${prefix}_request_time`, samples.train.seconds),
      ...times(`${prefix}_eval_request_time`, samples.eval.seconds),
      ...average(`${prefix}_average_num_attempts`, samples.train.attempts),
      // the name that dashboards know; it holds the attempts a call
      ...average(`${prefix}_eval_retry_rate`, samples.eval.attempts),
    }),
  };
}

function push(values: number[], value: number): void {
  values.push(value);
  if (values.length > KEPT) values.shift();
}

function times(name: string, values: readonly number[]): Record<string, number> {
  if (values.length === 0) return {};
  const mean = meanOf(values);
  const variance = meanOf(values.map((value) => (value - mean) ** 2));
  return {
    [`${name}_avg`]: mean,
    [`${name}_std`]: Math.sqrt(variance),
    [`${name}_99p`]: percentile(values, 0.99),
  };
}

function average(name: string, values: readonly number[]): Record<string, number> {
  return values.length === 0 ? {} : { [name]: meanOf(values) };
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Linear between the two nearest ranks, as numpy has it by default. */
function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  const rank = share * (sorted.length - 1);
  const below = sorted[Math.floor(rank)] ?? 0;
  const above = sorted[Math.ceil(rank)] ?? below;
  return below + (above - below) * (rank - Math.floor(rank));
}
