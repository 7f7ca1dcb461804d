import { CodePointSet } from '../../unicode/code-point-set.ts';
import { MORE_MARKS, NO_MARK } from '../../unicode/older-tables.ts';
import type { PropertySets } from '../../unicode/property-sets.ts';
import type { Normalizer } from './create-normalizer.ts';

/** Removes the marks that the reference knows as such. */
export function stripAccents(sets: PropertySets): Normalizer {
  const marks = sets
    .get('M')
    .minus(CodePointSet.fromHex(NO_MARK))
    .union(CodePointSet.fromHex(MORE_MARKS));
  const pattern = new RegExp(marks.toClass(), 'gu');
  return (text) => text.replace(pattern, '');
}
