import { nearestName } from '@hermes/sandbox';
import { rightPlaceOf } from './_wrong-names.ts';

/** Says what could have been meant, and all there is. */
export function unknownKey(path: string, key: string, valid: readonly string[]): string {
  const place = path === '' ? key : `${path}.${key}`;
  return `${place}: unknown key.${hint(path, key, valid)} Valid: ${valid.toSorted().join(', ')}`;
}

function hint(path: string, key: string, valid: readonly string[]): string {
  const right = rightPlaceOf(path, key, valid);
  if (right !== null) return ` ${right}.`;
  const close = nearestName(key.replaceAll('-', '_'), valid);
  return close === null ? '' : ` Did you mean ${close}?`;
}
