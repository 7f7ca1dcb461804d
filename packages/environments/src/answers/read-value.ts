import { type FoundNumber, findNumbers } from './find-numbers.ts';
import { isPartOfMore } from './is-part-of-more.ts';
import { divide, type Rational } from './rational.ts';

/** The one number of an answer, and what it may mean. isDecimal: it may be rounded. */
export type Reading = Readonly<{
  text: string;
  values: readonly Rational[];
  isDecimal: boolean;
}>;

/**
 * The one number of an answer in plain text, with units and words around it; null where it is part
 * of a calculation, a condition or a list, or where there is none. Of an equation the last side with one number.
 */
export function readValue(answer: string): Reading | null {
  return isSeveral(answer) ? null : readFirstValue(answer);
}

/** As `readValue`, of a sentence that may go on with other numbers: the first one counts. */
export function readFirstValue(sentence: string): Reading | null {
  const sides = sentence.split('=').reverse();
  return sides.map(readSide).find((reading) => reading !== null) ?? null;
}

/** Whether no side has exactly one number, or the answer is a list of equations. The exponent of a unit is none: `cm^2`, `m2`. */
function isSeveral(answer: string): boolean {
  const sides = answer.replaceAll(UNIT_POWER, ' ').split('=');
  return sides.slice(0, -1).some(isListed) || sides.every((side) => findNumbers(side).length !== 1);
}

const UNIT_POWER = /[a-z] ?\^ ?[23]\b|\b[ck]?m[23]\b/gi;

/** The value of one equation, and the name of the next: `10, y` in `x = 10, y = 12`. */
function isListed(side: string): boolean {
  const start = side.search(/\d/);
  return start !== -1 && /[,;] |\b(?:and|or) /.test(side.slice(start));
}

function readSide(side: string): Reading | null {
  const [number] = findNumbers(side);
  if (number === undefined || number.value === null || isPartOfMore(side, number)) return null;
  const { text, isDecimal } = number;
  return { text: text.trim(), values: meaningsOf(number, number.value), isDecimal };
}

const HUNDRED: Rational = { numerator: 100n, denominator: 1n };

/** A percentage counts as it stands and as its hundredth. */
function meaningsOf({ isPercent }: FoundNumber, value: Rational): readonly Rational[] {
  const hundredth = isPercent ? divide(value, HUNDRED) : null;
  return hundredth === null ? [value] : [value, hundredth];
}
