import { parseDecimal, type Rational } from './rational.ts';

/** What multiplies the number before it: `5 million`, `5 Thousand`, `5k`, `5M`. A lower `m` is a unit. */
export const SCALE = '(?:[kKM]| ?(?:[hH]undred|[tT]housand|[mMbB]illion|[tT]rillion))(?![a-zA-Z])';

const POWERS: Readonly<Record<string, string>> = {
  hundred: '2',
  k: '3',
  thousand: '3',
  m: '6',
  million: '6',
  billion: '9',
  trillion: '12',
};

/** The factor of a text that fits `SCALE`; null for any other. */
export function scaleOf(text: string): Rational | null {
  const power = POWERS[text.trim().toLowerCase()];
  return power === undefined ? null : parseDecimal('1', power);
}
