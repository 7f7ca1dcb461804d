import { integerOf, numberOf } from './inspect-value.ts';
import { represent, show } from './show-value.ts';
import { failure, refused } from './template-failure.ts';
import { Dictionary, Tuple, type Value } from './values.ts';

/** `text % values`: `%s`, `%r`, `%d` and `%%` without further options. */
export function formatPercent(text: string, values: Value): string {
  if (values instanceof Dictionary) throw refused('"%" with a dictionary');
  const rest = values instanceof Tuple ? [...values.items] : [values];
  const result = text.replace(/%([\s\S]?)/g, (whole, type: string) => {
    if (type === '%') return '%';
    if (!/[srd]/.test(type)) throw refused(`the format ${JSON.stringify(whole)}`);
    const value = rest.shift();
    if (value === undefined) throw failure('not enough arguments for format string');
    return converted(value, type);
  });
  if (rest.length > 0) throw failure('not all arguments converted during string formatting');
  return result;
}

function converted(value: Value, type: string): string {
  if (type === 's') return show(value);
  if (type === 'r') return represent(value);
  const number = integerOf(value) ?? numberOf(value);
  if (number === null) throw failure('%d format: a real number is required');
  return typeof number === 'bigint' ? String(number) : String(BigInt(Math.trunc(number)));
}
