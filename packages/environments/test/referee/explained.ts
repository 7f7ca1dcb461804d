/** Where the comparison and math-verify differ. ours: what the comparison says, math-verify says the other. */
export type Disagreement = Readonly<{ ours: boolean; why: string }>;

const EXPRESSION =
  'math-verify calculates; the comparison reads one number and leaves calculations alone';
const SYMBOLS =
  'math-verify reads the letters as symbols and multiplies; the comparison takes them for a unit';

/** By the name of the form: every kind of difference that there is. */
export const explained: Readonly<Record<string, Disagreement>> = {
  'boxed twice': {
    ours: true,
    why: 'the last box is the answer; math-verify joins boxes into a set',
  },
  'boxed calculation': { ours: false, why: EXPRESSION },
  'boxed power': { ours: false, why: EXPRESSION },
  'boxed root': { ours: false, why: EXPRESSION },
  'boxed with plain unit': { ours: true, why: SYMBOLS },
  'boxed with a rate': { ours: true, why: SYMBOLS },
  'boxed sentence': { ours: true, why: SYMBOLS },
  'boxed degrees Celsius': { ours: true, why: SYMBOLS },
  'boxed in euros': { ours: true, why: 'math-verify knows only the dollar in LaTeX' },
  'boxed equation, turned round': {
    ours: true,
    why: 'math-verify takes the right side of an equation; the comparison the side with a number',
  },
  'boxed with a full stop': {
    ours: true,
    why: 'math-verify cannot read the point after the number',
  },
  'boxed, nearly': {
    ours: true,
    why: 'equal to six decimals; math-verify rounds only where both can be evaluated as floats',
  },
  'boxed thirds, cut short': {
    ours: true,
    why: 'within a millionth of a large value: equal by tier 3, and marked unsure',
  },
  'boxed scientific': {
    ours: true,
    why: 'math-verify multiplies in floating point, where 0.14 * 100 is not 14; the comparison is exact',
  },
  'boxed e-notation': { ours: true, why: 'math-verify reads the e as the number 2.718' },
  'boxed plain mixed number': { ours: true, why: 'math-verify multiplies 2 1/2 instead of adding' },
  'boxed, groups by thin spaces': {
    ours: true,
    why: 'math-verify reads 90\\,000 as two numbers',
  },
  'boxed, cut off': {
    ours: true,
    why: 'a box that was never closed is no box, and the number in it the last one of the text',
  },
  'answer in brackets': { ours: true, why: 'math-verify does not look into the brackets' },
  'answer with a vulgar fraction': { ours: true, why: 'math-verify does not know the sign ½' },
  'two results in LaTeX': {
    ours: true,
    why: 'the last number counts; math-verify joins the results into a set',
  },
};
