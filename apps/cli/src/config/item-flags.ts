import type { ItemFilter } from '@hermes/env-core';
import { HermesError } from '@hermes/protocol';
import { collect, positiveInteger } from '../flag-values.ts';
import type { FlagGroup } from './flag-spec.ts';

/** Flags that choose among the items of an environment, as they were given. */
export interface ItemFlags {
  readonly limit?: number;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly tag?: readonly string[];
  readonly shuffle?: boolean;
}

/** The same as they are written. */
export const itemFlags: FlagGroup = {
  heading: 'Items:',
  flags: [
    { flags: '-l, --limit <n>', description: 'only the first n items', parse: positiveInteger },
    {
      flags: '-i, --include <glob>',
      description: 'only items whose id matches; repeatable',
      parse: collect,
    },
    {
      flags: '-x, --exclude <glob>',
      description: 'no items whose id matches; repeatable',
      parse: collect,
    },
    {
      flags: '-t, --tag <key=value>',
      description: 'only items with this tag; repeatable',
      parse: collect,
    },
    { flags: '--shuffle', description: 'items in an order that the seed decides' },
  ],
};

/** Which items the flags ask for. */
export function filterOf(flags: ItemFlags): ItemFilter {
  return {
    ...(flags.include === undefined ? {} : { include: flags.include }),
    ...(flags.exclude === undefined ? {} : { exclude: flags.exclude }),
    ...(flags.tag === undefined ? {} : { tags: Object.fromEntries(flags.tag.map(tagOf)) }),
    ...(flags.limit === undefined ? {} : { first: flags.limit }),
    ...(flags.shuffle === true ? { shuffle: true } : {}),
  };
}

function tagOf(text: string): readonly [string, string] {
  const [key = '', ...value] = text.split('=');
  if (key !== '' && value.length > 0) return [key, value.join('=')];
  throw new HermesError(
    'config',
    'CONFIG',
    `--tag ${text}: write key=value, for example --tag difficulty=easy`,
  );
}
