import { type FoundNumber, findNumbers } from './find-numbers.ts';
import { divide, type Rational } from './rational.ts';

/** The one number of an answer, and what it may mean. isDecimal: it may be rounded. */
export type Reading = Readonly<{
  text: string;
  values: readonly Rational[];
  isDecimal: boolean;
}>;

/**
 * The first number of an answer in plain text, with units and words around it; null where it is part
 * of a calculation or a list, or where there is none. Of an equation the last side with one number.
 */
export function readValue(answer: string): Reading | null {
  const sides = answer.split('=').reverse();
  return sides.map(readSide).find((reading) => reading !== null) ?? null;
}

function readSide(side: string): Reading | null {
  const [number] = findNumbers(side);
  if (number === undefined || number.value === null) return null;
  if (goesOn(side.slice(0, number.start), side.slice(number.end))) return null;
  const { text, isDecimal } = number;
  return { text: text.trim(), values: meaningsOf(number, number.value), isDecimal };
}

const HUNDRED: Rational = { numerator: 100n, denominator: 1n };

/** A percentage counts as it stands and as its hundredth. */
function meaningsOf({ isPercent }: FoundNumber, value: Rational): readonly Rational[] {
  const hundredth = isPercent ? divide(value, HUNDRED) : null;
  return hundredth === null ? [value] : [value, hundredth];
}

const GOES_BEFORE = /(?:[-+*^×÷/<>√]|\\[a-z]+) ?$/i;
const GOES_AFTER =
  /^ ?(?:[-+*^×÷/<>,:] ?[-\d(\\.]|(?:and|or|to) [-\d]|\\[a-z]|\d|[nxyz](?![a-z]))/i;

/** Whether an operator, a variable or a further member stands beside the number. */
function goesOn(before: string, after: string): boolean {
  return GOES_BEFORE.test(before.slice(-20)) || GOES_AFTER.test(after.slice(0, 20));
}
