import { add, divide, multiply, negate, parseDecimal, type Rational } from './rational.ts';
import { SCALE, scaleOf } from './scale.ts';

/** A number as it stands in a text. */
export type FoundNumber = Readonly<{
  text: string;
  start: number;
  end: number;
  /** Absent for one that is too long to be worked with. */
  value: Rational | null;
  /** Written with a point or a power of ten: such a number may be rounded. */
  isDecimal: boolean;
  isPercent: boolean;
}>;

/** A comma before one or two last digits is a decimal comma. */
const DECIMAL = String.raw`\d+,\d{1,2}(?![\d,]|\.\d)|(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?|\.\d+`;
/** A dash is a sign directly before a number that follows no other, or with a space where a value starts. */
const SIGN = String.raw`(?<![\d)%] ?)(?<!\w)[-+](?=[.\d])|(?<=(?:^|[=:(]) ?)[-+] (?=[.\d])`;
const MIXED = String.raw`(?<whole>\d+)(?: and)? (?<above>\d+) ?/ ?(?<below>\d+)(?![\d/]|[.,]\d)`;
const POWER = String.raw`(?:[eE](?<exponent>[-+]?\d+)| ?[×x*] ?10 ?\^ ?(?<power>[-+]?\d+))`;
const PLAIN = `(?<number>${DECIMAL})${POWER}?(?: ?/ ?(?<divisor>-?(?:${DECIMAL})))?`;
const NUMBERS = new RegExp(
  String.raw`(?<sign>${SIGN})?(?:${MIXED}|${PLAIN})(?:(?<percent> ?%| percent\b)|(?<scale>${SCALE}))?`,
  'g',
);

/**
 * All numbers of a text that `plainText` has made plain, from left to right: `1,234.5`, `2 1/2`, `3/4`,
 * `1.5e3`, `2 × 10^-3`, `50%`, `5 million`. Takes time in proportion to the text, whatever stands in it.
 */
export function findNumbers(text: string): readonly FoundNumber[] {
  return Array.from(text.matchAll(NUMBERS), (match) => {
    const groups: Groups = match.groups ?? {};
    const size = scaled(sizeOf(groups), groups.scale);
    return {
      text: match[0],
      start: match.index,
      end: match.index + match[0].length,
      value: size !== null && groups.sign?.startsWith('-') ? negate(size) : size,
      isDecimal: isRounded(groups),
      isPercent: groups.percent !== undefined,
    };
  });
}

type Groups = Partial<Record<string, string>>;

function isRounded(groups: Groups): boolean {
  const { number = '' } = groups;
  return number.includes('.') || isCommaDecimal(number) || powerOf(groups) !== undefined;
}

function sizeOf(groups: Groups): Rational | null {
  const { whole, above, below, number = '0', divisor } = groups;
  if (whole !== undefined && above !== undefined && below !== undefined)
    return sum(parseDecimal(whole), quotient(parseDecimal(above), parseDecimal(below)));
  const size = parseDecimal(withPoint(number), powerOf(groups));
  if (divisor === undefined) return size;
  const result = quotient(size, parseDecimal(withPoint(divisor.replace('-', ''))));
  return result !== null && divisor.startsWith('-') ? negate(result) : result;
}

function scaled(size: Rational | null, scale: string | undefined): Rational | null {
  const factor = scale === undefined ? null : scaleOf(scale);
  return size === null || factor === null ? size : multiply(size, factor);
}

function withPoint(number: string): string {
  return isCommaDecimal(number) ? number.replace(',', '.') : number;
}

function isCommaDecimal(number: string): boolean {
  return /,\d{1,2}$/.test(number);
}

function powerOf({ exponent, power }: Groups): string | undefined {
  return exponent ?? power;
}

function quotient(a: Rational | null, b: Rational | null): Rational | null {
  return a === null || b === null ? null : divide(a, b);
}

function sum(a: Rational | null, b: Rational | null): Rational | null {
  return a === null || b === null ? null : add(a, b);
}
