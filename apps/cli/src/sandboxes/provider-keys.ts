import type { JsonObject, JsonValue } from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';

/** A setting of a provider under the names that the original gave it. */
export interface ProviderKey {
  /** In section `env`: `--env.KEY`, or in YAML. */
  readonly key: string;
  /** Absent: it has none. */
  readonly variable?: string;
  readonly setting: string;
  /** Default: text. */
  readonly kind?: ValueKind;
}

export type ValueKind = 'text' | 'number' | 'flag' | 'list';

/** Where settings come from, beside those under `sandbox`. */
export interface GivenKeys {
  /** Values of section `env` under names that belong to providers. */
  readonly further: JsonObject;
  /** Which of them are from flags: these win over `sandbox` too. */
  readonly flagged: readonly string[];
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** The settings of a provider: variables, then keys of a file, then `sandbox`, then keys given as flags. The later wins. */
export function settingsOf(
  keys: readonly ProviderKey[],
  own: JsonObject | null,
  { further, flagged, variables }: GivenKeys,
): JsonObject {
  const fromVariables = keys.flatMap(({ variable, setting, kind }) => {
    if (variable === undefined) return [];
    const text = variables[variable];
    return text === undefined || text === '' ? [] : [[setting, readAs(kind, text, variable)]];
  });
  const fromKeys = (isFlag: boolean) =>
    keys.flatMap(({ key, setting, kind }) => {
      const value = further[key];
      if (value === undefined || value === null || flagged.includes(key) !== isFlag) return [];
      return [[setting, readAs(kind, value, `env.${key}`)]];
    });
  return {
    ...Object.fromEntries(fromVariables),
    ...Object.fromEntries(fromKeys(false)),
    ...own,
    ...Object.fromEntries(fromKeys(true)),
  };
}

/** Texts of variables and flags, or data of a file. name: for the message. */
function readAs(kind: ValueKind = 'text', value: JsonValue, name: string): JsonValue {
  if (kind === 'number') return numberOf(value, name);
  if (kind === 'flag') return flagOf(value, name);
  if (kind === 'list') return listOf(value, name);
  return typeof value === 'number' ? String(value) : value;
}

/** Throws CONFIG that names where the value came from. */
export function numberOf(value: JsonValue, name: string): number {
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
  if (typeof value === 'boolean' || !Number.isFinite(number))
    throw wrong(name, value, 'no number', '22');
  return number;
}

function flagOf(value: JsonValue, name: string): boolean {
  const text = String(value).toLowerCase();
  if (/^(true|1|yes|on)$/.test(text)) return true;
  if (/^(false|0|no|off)$/.test(text)) return false;
  throw wrong(name, value, 'neither true nor false', 'true');
}

/** Words with commas between them, or a list of JSON. */
function listOf(value: JsonValue, name: string): JsonValue {
  if (typeof value !== 'string') return value;
  if (!value.trim().startsWith('[')) return value.split(',').flatMap((word) => word.trim() || []);
  try {
    return JSON.parse(value) as JsonValue;
  } catch {
    throw wrong(name, value, 'no list of JSON', '["A","B"]');
  }
}

function wrong(name: string, value: JsonValue, what: string, example: string): HermesError {
  const message = `${name}: ${JSON.stringify(value)} is ${what}; for example ${name}=${example}`;
  return new HermesError('config', 'CONFIG', message);
}
