import { nearestName } from '@hermes/sandbox';
import { rightPlaceOf } from './_wrong-names.ts';

/** Says what could have been meant, and all there is where people can read that. */
export function unknownKey(path: string, key: string, valid: readonly string[]): string {
  const place = path === '' ? key : `${path}.${key}`;
  const right = rightPlaceOf(path, key, valid);
  return `${place}: unknown key.${right === null ? nearest(key, valid) + all(valid) : ` ${right}`}`;
}

const READABLE_COUNT = 30;

function all(valid: readonly string[]): string {
  if (valid.length <= READABLE_COUNT) return ` Valid: ${valid.toSorted().join(', ')}`;
  return ` hermes config explain lists all ${valid.length}`;
}

function nearest(key: string, valid: readonly string[]): string {
  const close = nearestName(key.replaceAll('-', '_'), valid);
  return close === null ? '' : ` Did you mean ${close}?`;
}
