import type { ConfigSchema } from '@hermes/env-core';
import type { JsonObject } from '@hermes/protocol';

/** A key that an environment adds to section `env`, as data. */
export type OwnKey = Readonly<{ type: OwnType; default: unknown; meaning: string }>;

type OwnType =
  | 'a text'
  | 'a whole number'
  | 'a number'
  | 'true or false'
  | 'a list of texts'
  | 'a list of whole numbers';

const TYPES: Readonly<Record<OwnType, (value: unknown) => boolean>> = {
  'a text': isText,
  'a whole number': Number.isInteger,
  'a number': (value) => typeof value === 'number',
  'true or false': (value) => typeof value === 'boolean',
  'a list of texts': (value) => isListOf(value, isText),
  'a list of whole numbers': (value) => isListOf(value, Number.isInteger),
};

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isListOf(value: unknown, isRight: (member: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isRight);
}

/** A schema that checks these keys and no others; null is what is not set. */
export function ownKeySchema(
  keys: Readonly<Record<string, OwnKey>>,
): ConfigSchema<JsonObject> & { readonly shape: typeof keys } {
  return {
    shape: keys,
    '~standard': {
      version: 1,
      vendor: 'hermes',
      validate: (value) => {
        const given = value as JsonObject;
        const issues = Object.entries(given).flatMap(([name, found]) => {
          const type = keys[name]?.type ?? 'a text';
          const isRight = found === null || TYPES[type](found);
          return isRight ? [] : [{ path: [name], message: `${type} is expected` }];
        });
        return issues.length === 0 ? { value: given } : { issues };
      },
    },
  };
}
