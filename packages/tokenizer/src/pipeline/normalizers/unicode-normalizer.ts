import { CodePointSet } from '../../unicode/code-point-set.ts';
import { NOT_NORMALIZED } from '../../unicode/older-tables.ts';
import { UNASSIGNED } from '../../unicode/unassigned.ts';
import type { Normalizer } from './create-normalizer.ts';

/**
 * Unicode's normal forms. The reference has them of an older Unicode: characters that it does not
 * know stay, and nothing is moved or joined across them.
 */
export function unicodeNormalizer(form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): Normalizer {
  const unknown = CodePointSet.fromHex(`${NOT_NORMALIZED} ${UNASSIGNED}`);
  const known = new RegExp(`${unknown.complement().toClass()}+`, 'gu');
  return (text) => {
    if (isPlain(text)) return text;
    return text.replace(known, (part) => part.normalize(form));
  };
}

function isPlain(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (text.charCodeAt(index) > 0x7f) return false;
  }
  return true;
}
