import type { Random } from '@hermes/protocol';

/** A way to write an answer down. gold: how the right number stands in the data. */
export type Form = Readonly<{
  name: string;
  gold: (value: number) => string;
  response: (value: number, random: Random) => string;
}>;

const whole = (value: number): string => String(value);
const grouped = (value: number): string => value.toLocaleString('en-US');
const latexGrouped = (value: number): string => grouped(value).replaceAll(',', '{,}');
const form = (name: string, response: Form['response'], gold: Form['gold'] = whole): Form => ({
  name,
  gold,
  response,
});
const units = ['dollars', 'eggs', 'miles', 'hours', 'pounds', 'students', 'cups', 'minutes'];
const unit = (random: Random): string => units[Math.floor(random.next() * units.length)] ?? 'units';
const mixed = (value: number): string => String(value + 0.5);

/** Formats, units, fractions and text around, as models write them. */
export const forms: readonly Form[] = [
  form('boxed', (n) => `So the result is \\boxed{${n}}.`),
  form('boxed in dollars', (n) => `Therefore $\\boxed{\\$${n}}$`),
  form('boxed, grouped', (n) => `\\boxed{${grouped(n)}}`),
  form('boxed, LaTeX groups', (n) => `$\\boxed{${latexGrouped(n)}}$`),
  form('boxed with text unit', (n, random) => `\\boxed{${n} \\text{ ${unit(random)}}}`),
  form('boxed with plain unit', (n, random) => `\\boxed{${n} ${unit(random)}}`),
  form('boxed equation', (n) => `$\\boxed{x = ${n}}$`),
  form('boxed with decimals', (n) => `\\boxed{${n}.00}`),
  form('boxed twice', (n) => `First \\boxed{${n + 3}}, no: \\boxed{${n}}`),
  form('boxed after reasoning', (n) => `We take 3 and 4, that is 12. Then:\n\n$$\\boxed{${n}}$$`),
  form('boxed bold', (n) => `\\boxed{\\mathbf{${n}}}`),
  form(
    'boxed fraction',
    (n) => `\\boxed{\\frac{${n}}{4}}`,
    (n) => `\\frac{${n}}{4}`,
  ),
  form(
    'boxed fraction, not reduced',
    (n) => `\\boxed{\\dfrac{${n * 3}}{12}}`,
    (n) => `\\frac{${n}}{4}`,
  ),
  form(
    'boxed fraction for a decimal',
    (n) => `\\boxed{\\frac{${n}}{4}}`,
    (n) => String(n / 4),
  ),
  form(
    'boxed decimal for a fraction',
    (n) => `\\boxed{${n / 8}}`,
    (n) => `\\frac{${n}}{8}`,
  ),
  form(
    'boxed thirds, rounded',
    (n) => `\\boxed{${(n / 3).toFixed(9)}}`,
    (n) => `\\frac{${n}}{3}`,
  ),
  form(
    'boxed thirds, cut short',
    (n) => `\\boxed{${(n / 3).toFixed(2)}}`,
    (n) => `\\frac{${n}}{3}`,
  ),
  form('boxed mixed number', (n) => `\\boxed{${n}\\frac{1}{2}}`, mixed),
  form(
    'boxed short fraction',
    (n) => `\\boxed{\\frac12}`.replace('1', String(Math.abs(n) % 10)),
    (n) => `\\frac{${Math.abs(n) % 10}}{2}`,
  ),
  form(
    'boxed slash fraction',
    (n) => `\\boxed{${n}/4}`,
    (n) => `\\frac{${n}}{4}`,
  ),
  form('boxed percent', (n) => `\\boxed{${n}\\%}`),
  form(
    'boxed percent for a percent',
    (n) => `\\boxed{${n}\\%}`,
    (n) => `${n}\\%`,
  ),
  form(
    'boxed decimal for a percent',
    (n) => `\\boxed{${n / 100}}`,
    (n) => `${n}\\%`,
  ),
  form('boxed scientific', (n) => `\\boxed{${n / 100} \\times 10^{2}}`),
  form('boxed calculation', (n) => `\\boxed{${n - 2} + 2}`),
  form('boxed calculation with result', (n) => `\\boxed{${n - 2} + 2 = ${n}}`),
  form('boxed degrees', (n) => `\\boxed{${n}^\\circ}`),
  form('answer is', (n) => `The answer is ${n}.`),
  form('answer is, in dollars', (n) => `The answer is $${n}.`),
  form('answer is, grouped', (n) => `The answer is ${grouped(n)}.`),
  form('answer is, with unit', (n, random) => `The answer is ${n} ${unit(random)}.`),
  form('answer is, in LaTeX', (n) => `The answer is $${n}$.`),
  form('answer is, bold', (n) => `The answer is **${n}**.`),
  form('final answer is', (n) => `The final answer is ${n}. I hope it is correct.`),
  form('answer, colon', (n) => `Some words first, 5 of them.\nAnswer: ${n}`),
  form('answer, colon and dollars', (n) => `Answer: $${grouped(n)}.00`),
  form('answer before other numbers', (n) => `The answer is ${n}, because 2 of the 7 are left.`),
  form('answer is a decimal', (n) => `The answer is ${n}.5`, mixed),
  form(
    'answer is a fraction',
    (n) => `The answer is ${n}/4.`,
    (n) => String(n / 4),
  ),
  form('answer is a percent', (n) => `The answer is ${n}%.`),
  form('hashes', (n) => `It is so.\n#### ${n}`),
  form('hashes, grouped', (n) => `5 + 6 = 11\n#### ${grouped(n)}`),
  form(
    'last number',
    (n, random) => `She had 12 and gave 5 away, so there are ${n} ${unit(random)} left.`,
  ),
  form('last number in dollars', (n) => `2 * 3 = 6, so he pays $${grouped(n)}.`),
  form('result of an equation', (n) => `So we get ${n - 2} + 2 = ${n}`),
  form('the number alone', (n) => `${n}`),
  form(
    'negative',
    (n) => `The answer is ${-n}.`,
    (n) => String(-n),
  ),
  form(
    'negative dollars',
    (n) => `\\boxed{-\\$${Math.abs(n)}}`,
    (n) => String(-Math.abs(n)),
  ),
  form('no answer', () => 'I cannot tell.'),
  form('wrong by rounding', (n) => `\\boxed{${n}.004}`),
  form('boxed in euros', (n) => `\\boxed{€${n}}`),
  form('boxed with a rate', (n) => `\\boxed{\\$${n}/\\text{hour}}`),
  form('boxed, groups by thin spaces', (n) => `\\boxed{${grouped(n).replaceAll(',', '\\,')}}`),
  form('boxed with a unit squared', (n) => `\\boxed{${n}\\text{ cm}^2}`),
  form('boxed in brackets', (n) => `\\boxed{(${n})}`),
  form('boxed about', (n) => `\\boxed{\\approx ${n}}`),
  form('boxed sentence', (n) => `\\boxed{\\text{She has } ${n} \\text{ left}}`),
  form('boxed equation, turned round', (n) => `\\boxed{${n} = x}`),
  form('boxed with a full stop', (n) => `\\boxed{${n}.}`),
  form('boxed degrees Celsius', (n) => `\\boxed{${n}^\\circ C}`),
  form(
    'boxed power',
    (n) => `\\boxed{${n}^2}`,
    (n) => String(n * n),
  ),
  form(
    'boxed root',
    (n) => `\\boxed{\\sqrt{${n * n}}}`,
    (n) => String(Math.abs(n)),
  ),
  form('boxed with a variable', (n) => `\\boxed{${n}x}`),
  form('boxed pair', (n) => `\\boxed{${n}, ${n + 1}}`),
  form('boxed choice', (n) => `\\boxed{${n} \\text{ or } ${n + 1}}`),
  form('boxed range', (n) => `\\boxed{${n} - ${n + 2}}`),
  form('boxed, cut off', (n) => `So we get \\boxed{${n}`),
  form('boxed, nearly', (n) => `\\boxed{${n}.0000001}`),
  form(
    'boxed e-notation',
    (n) => `\\boxed{${n}e3}`,
    (n) => String(n * 1000),
  ),
  form('boxed plain mixed number', (n) => `\\boxed{${n} 1/2}`, mixed),
  form('answer after an equation', (n) => `The answer is ${n - 2} + 2 = ${n}.`),
  form('answer with a decimal comma', (n) => `The answer is ${n},5.`, mixed),
  form('answer in brackets', (n) => `The answer is (${n}).`),
  form('answer in display LaTeX', (n) => `The answer is\n\\[ ${n} \\]`),
  form('answer, then a question', (n) => `Answer: ${n}\n\nDo you have 2 more questions?`),
  form('answer with a vulgar fraction', (n) => `The answer is ${n}½ cups.`, mixed),
  form('two results in LaTeX', (n) => `Thus $a = ${n + 4}$ and $b = ${n}$`),
  form('result after an arrow', (n) => `${n - 1} + 1 → ${n} in all`),
  form('reasoning with another box', (n) => `<think>\\boxed{${n + 1}}</think>It is \\boxed{${n}}.`),
];
