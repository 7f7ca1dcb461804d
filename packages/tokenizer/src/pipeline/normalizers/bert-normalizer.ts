import { CodePointSet } from '../../unicode/code-point-set.ts';
import {
  MORE_NONSPACING_MARKS,
  NO_FORMAT,
  NO_NONSPACING_MARK,
} from '../../unicode/older-tables.ts';
import { type ComponentContext, type ComponentJson, flag } from '../component.ts';
import type { Normalizer } from './create-normalizer.ts';
import { lowercase } from './lowercase.ts';
import { unicodeNormalizer } from './unicode-normalizer.ts';

/** BERT's own: control characters out, spaces around Chinese characters, accents and case away. */
export function createBertNormalizer(json: ComponentJson, context: ComponentContext): Normalizer {
  const isLower = flag(json, 'lowercase', true);
  const steps: Normalizer[] = [];
  if (flag(json, 'clean_text', true)) steps.push(cleaner(context));
  if (flag(json, 'handle_chinese_chars', true)) steps.push(spaceChinese);
  if (flag(json, 'strip_accents', isLower)) steps.push(accentRemover(context));
  if (isLower) steps.push(lowercase);
  return (input) => steps.reduce((value, step) => step(value), input);
}

function cleaner({ sets }: ComponentContext): Normalizer {
  const dropped = ['Cc', 'Cf', 'Co']
    .reduce((all, name) => all.union(sets.get(name)), CodePointSet.fromHex('0 fffd'))
    .minus(CodePointSet.fromHex(`9-a d ${NO_FORMAT}`));
  const pattern = new RegExp(dropped.toClass(), 'gu');
  return (text) => text.replace(pattern, '').replace(/\p{White_Space}/gu, ' ');
}

const CHINESE =
  /[\u4e00-\u9fff\u3400-\u4dbf\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\uf900-\ufaff\u{2f800}-\u{2fa1f}]/gu;

function spaceChinese(text: string): string {
  return text.replace(CHINESE, ' $& ');
}

function accentRemover({ sets }: ComponentContext): Normalizer {
  const marks = sets
    .get('Mn')
    .minus(CodePointSet.fromHex(NO_NONSPACING_MARK))
    .union(CodePointSet.fromHex(MORE_NONSPACING_MARKS));
  const pattern = new RegExp(marks.toClass(), 'gu');
  const decompose = unicodeNormalizer('NFD');
  return (text) => decompose(text).replace(pattern, '');
}
