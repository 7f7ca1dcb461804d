import type { FoundNumber } from './find-numbers.ts';

const OPERATOR_BEFORE = /(?:[-+*^×÷/<>√±≤≥≠]|\\[a-z]+) ?$/i;
const VARIABLE_BEFORE = /(?:_ ?|(?<![a-z])[a-z])$/i;
const WORD_BEFORE =
  /\b(?:not|half(?: of)?|twice|double|triple|(?:more|less|fewer|greater|larger|smaller) than) $/i;

const OPERATOR_AFTER = /^ ?(?:[-+*^×÷/<>,:;|±≤≥≠] ?[-\d(\\.]|(?:and|or|to) [-\d]|\\[a-z]|\d)/i;
const SIGN_AFTER = /^[!‰²-³¹⁰-⁹π√]/;
const VARIABLE_AFTER = /^(?: ?[nxyz]|[abijqruvw])(?![a-z])/i;
const WORD_AFTER =
  /^ (?:squared|cubed|factorial|(?:times|plus|over|divided by|multiplied by) [-\d])/i;

/** Whether an operator, a variable, a further member or a word stands beside a number of `text` that makes another value of it. */
export function isPartOfMore(text: string, { start, end }: FoundNumber): boolean {
  const before = text.slice(Math.max(0, start - 20), start);
  const after = text.slice(end, end + 20);
  return (
    [OPERATOR_BEFORE, VARIABLE_BEFORE, WORD_BEFORE].some((pattern) => pattern.test(before)) ||
    [OPERATOR_AFTER, SIGN_AFTER, VARIABLE_AFTER, WORD_AFTER].some((pattern) => pattern.test(after))
  );
}

const LAST_OF_CALCULATION = /(?:[\d)] ?[-+*×÷/x] ?|\d:|[\^√] ?|\\[a-z]+ ?)$/i;

/** Whether the last number of a text is the last member of a calculation, a range or a ratio without a result. */
export function endsCalculation(text: string, { start }: FoundNumber): boolean {
  return LAST_OF_CALCULATION.test(text.slice(Math.max(0, start - 20), start));
}
