import type { ErroredCauses, JsonObject } from '@hermes/protocol';

/** The two reward files, in the order they are looked for. */
export const REWARD_FILES = ['reward.json', 'reward.txt'] as const;

/** One of the two reward files. */
export type RewardFileName = (typeof REWARD_FILES)[number];

/** What a reward file says: its keys, all finite, or why it says nothing. */
export type ParsedReward =
  | Readonly<{ ok: true; rewards: Readonly<Record<string, number>> }>
  | Readonly<{ ok: false; cause: ErroredCauses['verifier']; message: string }>;

/** Reads the bytes of a reward file as Harbor does, save that `{}` is a missing reward. */
export function parseReward(name: RewardFileName, bytes: Uint8Array): ParsedReward {
  if (bytes.length === 0) return refuse('reward_empty', `${name} is empty`);
  const text = decode(bytes);
  if (text === null)
    return refuse('reward_unparsable', `${name} is no UTF-8 text without a byte order mark`);
  return name === 'reward.json' ? parseJson(text) : parseText(text);
}

function refuse(cause: ErroredCauses['verifier'], message: string): ParsedReward {
  return { ok: false, cause, message };
}

function decode(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\uFEFF') ? null : text;
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

const DIGITS = '\\d+(?:_\\d+)*';
const NUMBER = new RegExp(
  `^[+-]?(?:${DIGITS}\\.?(?:${DIGITS})?|\\.${DIGITS})(?:[eE][+-]?${DIGITS})?$`,
);

/** One number, in the spellings of Python's float(): `1_0` is 10. */
function parseText(text: string): ParsedReward {
  const word = text.trim();
  const number = NUMBER.test(word) ? Number(word.replaceAll('_', '')) : Number.NaN;
  if (!Number.isFinite(number))
    return refuse('reward_unparsable', `reward.txt holds no number but ${quote(word)}`);
  return { ok: true, rewards: { reward: number } };
}

function parseJson(text: string): ParsedReward {
  const value = jsonOrUndefined(text);
  if (!isObject(value))
    return refuse('reward_unparsable', `reward.json is no object of numbers but ${quote(text)}`);
  const entries = Object.entries(value).map(([key, one]) => [key, asNumber(one)] as const);
  const bad = entries.find(([, number]) => number === null);
  if (bad !== undefined)
    return refuse('reward_unparsable', `reward.json: "${bad[0]}" is no finite number`);
  if (entries.length === 0) return refuse('reward_missing', 'reward.json holds no reward: {}');
  return {
    ok: true,
    rewards: Object.fromEntries(entries.map(([key, number]) => [key, number ?? 0])),
  };
}

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asNumber(value: unknown): number | null {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}...` : text);
}
