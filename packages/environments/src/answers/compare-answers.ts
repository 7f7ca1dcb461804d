import { extractAnswer } from './extract-answer.ts';
import { plainText } from './plain-text.ts';
import { isEqual, isInteger, isWithinShare, type Rational, rounded } from './rational.ts';
import { type Reading, readValue } from './read-value.ts';

/** tier: which rule found them equal; null = none did. unsure: exactly they differ, rounded they are equal. */
export type Comparison = Readonly<{
  isEqual: boolean;
  tier: 1 | 2 | 3 | null;
  unsure: boolean;
  /** What was taken out of the response; null = no answer in it. */
  answer: string | null;
}>;

/**
 * Compares the answer in a response with the right one: tier 1 as text, tier 2 exactly as fractions,
 * tier 3 rounded. A percentage counts as it stands and as its hundredth; the right answer decides.
 */
export function compareAnswers(gold: string, response: string): Comparison {
  const answer = extractAnswer(response);
  if (answer === null) return { isEqual: false, tier: null, unsure: false, answer };
  const tier = tierOf(plainText(gold), answer);
  return { isEqual: tier !== null, tier, unsure: tier === 3, answer: answer.slice(0, 200) };
}

function tierOf(gold: string, answer: string): Comparison['tier'] {
  if (asWritten(gold) === asWritten(answer)) return 1;
  const left = readValue(gold);
  const right = readValue(answer);
  if (left === null || right === null) return null;
  if (somePair(left, right, isEqual)) return 2;
  return somePair(left, right, (a, b) => isNear(a, b, left.isDecimal || right.isDecimal))
    ? 3
    : null;
}

function asWritten(text: string): string {
  const isGrouped = /^[-+]?\d{1,3}(?:[ ,]\d{3})+(?:\.\d+)?$/.test(text);
  const joined = isGrouped ? text.replaceAll(/[ ,]/g, '') : text;
  return joined.toLowerCase().replace(/\.$/, '');
}

function somePair(
  left: Reading,
  right: Reading,
  isMatch: (a: Rational, b: Rational) => boolean,
): boolean {
  return left.values.some((a) => right.values.some((b) => isMatch(a, b)));
}

const PARTS = 1_000_000n;
const PLACES = 6;

/** The share holds for fractions alone: a whole number is exact, however large it is. */
function isNear(gold: Rational, answer: Rational, isDecimal: boolean): boolean {
  if (!isDecimal) return false;
  if (rounded(gold, PLACES) === rounded(answer, PLACES)) return true;
  return !isInteger(gold) && isWithinShare(gold, answer, PARTS);
}
