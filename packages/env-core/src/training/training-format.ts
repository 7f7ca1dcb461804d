import type { JsonObject } from '@hermes/protocol';

/**
 * What a line holds. messages: the conversation in OpenAI's shape. sharegpt: the same as turns of
 * `from` and `value`. tokens: ids, masks and log-probs, one line a token segment.
 */
export type TrainingFormat = 'messages' | 'sharegpt' | 'tokens';

/** One line a trajectory (a token segment where the format is `tokens`), or one line a group as Atropos shapes it. */
export type TrainingLines = 'trajectories' | 'groups';

/** One line before it is written. The id is unique in the file and the same after a restart. */
export type TrainingLine = Readonly<{
  id: string;
  itemId: string;
  /** Without what `rewards` holds. */
  value: JsonObject;
  /** Written with a decimal point, also where they are whole. */
  rewards: Readonly<{ key: 'reward'; value: number } | { key: 'scores'; value: readonly number[] }>;
}>;

/** The text of a line. Readers that guess a column's type by its first values (Arrow) must not take rewards for integers. */
export function textOf({ value, rewards }: TrainingLine): string {
  const numbers = [rewards.value].flat().map(decimal);
  const text = rewards.key === 'reward' ? numbers[0] : `[${numbers.join(',')}]`;
  return `${JSON.stringify(value).slice(0, -1)},"${rewards.key}":${text}}`;
}

function decimal(value: number): string {
  return Number.isInteger(value) ? value.toFixed(1) : String(value);
}
