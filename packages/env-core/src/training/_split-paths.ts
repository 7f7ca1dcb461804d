import { extname } from 'node:path';
import { HermesError } from '@hermes/protocol';
import { hashToUint32 } from '../_seeded-random.ts';

/** Names of parts with their shares of the items; the shares add up to 1. */
export type Split = Readonly<Record<string, number>>;

/** Which file an item's lines go to: always the same one, so that no item is in two parts. */
export interface SplitPaths {
  readonly paths: readonly string[];
  pathOf(itemId: string): string;
}

/** `out.jsonl` alone, or `out.train.jsonl`, `out.validation.jsonl` and so on. Throws CONFIG for shares that do not add up. */
export function splitPaths(path: string, split: Split | undefined): SplitPaths {
  if (split === undefined) return { paths: [path], pathOf: () => path };
  const parts = Object.entries(split);
  refuseWrongShares(parts);
  const named = parts.map(([name, share]) => ({ share, path: pathWith(path, `.${name}`) }));
  return {
    paths: named.map((part) => part.path),
    pathOf: (itemId) => {
      let left = hashToUint32(`split/${itemId}`) / 2 ** 32;
      const found = named.find(({ share }) => {
        left -= share;
        return left < 0;
      });
      return (found ?? named[named.length - 1])?.path ?? path;
    },
  };
}

/** The path with a text before its ending. */
export function pathWith(path: string, text: string): string {
  const ending = extname(path);
  return `${path.slice(0, path.length - ending.length)}${text}${ending}`;
}

function refuseWrongShares(parts: readonly (readonly [string, number])[]): void {
  const sum = parts.reduce((total, [, share]) => total + share, 0);
  const isFine = parts.every(([name, share]) => /^[A-Za-z0-9_-]+$/.test(name) && share > 0);
  if (isFine && Math.abs(sum - 1) < 1e-9) return;
  const message =
    'A split needs names of letters and digits, each with a share above 0, and shares that add up to 1, for example { train: 0.9, validation: 0.1 }';
  throw new HermesError('config', 'CONFIG', message);
}
