import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareAnswers } from '../src/answers/compare-answers.ts';

type Row = readonly [gold: string, response: string, tier: 1 | 2 | 3 | null];

const rows: readonly Row[] = [
  ['18', 'The answer is \\boxed{18}', 1],
  ['18', 'The answer is 18 dollars per day.', 1],
  ['18', 'The final answer is: $18 per day.', 1],
  ['18', 'Answer: **18** eggs', 1],
  ['18', 'It is so.\n#### 18', 1],
  ['18', '#### Step 18\nSo 20.', null],
  ['18', 'She had 20 and now has 18 left.', 1],
  ['18', '<think>\\boxed{20}</think> \\boxed{18}', 1],
  ['18', '\\boxed{18} and then \\boxed{20}', null],
  ['18', '\\boxed{\\text{about }\\boxed{18}}', 2],
  ['18', '\\boxed{} so 18', 1],
  ['18', '\\boxed{18', 1],
  ['18', 'x = 9 \\times 2 = 18', 1],
  ['18', 'The answer is 9*2 = 18, not 20.', 1],
  ['18', 'The answer is 9*2', null],
  ['18', '\\boxed{9+9}', null],
  ['18', '\\boxed{18 + 2}', null],
  ['18', '\\boxed{18, 20}', null],
  ['18', '\\boxed{18 \\text{ or } 20}', null],
  ['18', '\\boxed{18x}', null],
  ['18', '\\boxed{18 \\pi}', null],
  ['18', '\\boxed{\\sqrt{18}}', null],
  ['2', '\\boxed{x^2+3}', null],
  ['18', '\\boxed{x = 18}', 2],
  ['18', '\\boxed{18 = x}', 2],
  ['18', '\\boxed{18\\text{ cm}^2}', 2],
  ['18', '\\boxed{18 \\text{ km/h}}', 2],
  ['18', '\\boxed{18^\\circ}', 1],
  ['18', '\\boxed{€18}', 1],
  ['18', '18.00', 2],
  ['18', '018', 2],
  ['18', '19', null],
  ['18', '180', null],
  ['18', '1.8', null],
  ['18', 'I cannot tell.', null],
  ['18', '', null],
  ['-10', 'The answer is -10.', 1],
  ['-10', '\\boxed{-\\$10}', 1],
  ['-10', 'it is \u221210 degrees', 1],
  ['3', '10 - 3', null],
  ['7', '2^7', null],
  ['7', 'it is \\sqrt{7}', null],
  ['7', 'the ratio is 3:7', null],
  ['18', 'Step 3: 18 eggs', 1],
  ['-5', 'The answer is minus 5.', 1],
  ['5', '\\boxed{negative 5}', null],
  ['5', 'it is \u2212 5', null],
  ['5', 'The answer is not 5.', null],
  ['18000', '\\boxed{18 thousand}', 2],
  ['18', '\\boxed{18 thousand}', null],
  ['18', 'The answer is $18 million.', null],
  ['18', 'about 18k', null],
  ['2500000', '2.5 million dollars', 2],
  ['18', '\\boxed{18m}', 2],
  ['2.5', '\\boxed{2 and a half}', 2],
  ['2', '\\boxed{2 and a half}', null],
  ['1', '\\boxed{1 hour 30 minutes}', null],
  ['10', '\\boxed{10 \\text{ apples}, 12 \\text{ pears}}', null],
  ['12', '\\boxed{x = 10, y = 12}', null],
  ['10', '\\boxed{10\\% of 50}', null],
  ['18', '\\boxed{18 m^2}', 2],
  ['5', '\\boxed{x_5}', null],
  ['5', '\\boxed{5²}', null],
  ['5', '\\boxed{5!}', null],
  ['5', 'The answer is 5!', 1],
  ['5', '\\boxed{5π}', null],
  ['5', '\\boxed{5i}', null],
  ['5', '\\boxed{≤5}', null],
  ['5', '\\boxed{5 ± 1}', null],
  ['5', '\\boxed{5; 6}', null],
  ['10', '\\boxed{half of 10}', null],
  ['10', '\\boxed{more than 10}', null],
  ['10', '\\boxed{10 squared}', null],
  ['10', 'The answer is 10 times 3.', null],
  ['500', '\\boxed{5\\cdot10^2}', 2],
  ['18', '\\boxed{\\approx18}', 2],
  ['19', 'COVID-19', 1],
  ['70000', '\\boxed{\\$70{,}000}', 1],
  ['70,000', 'It costs $70,000.00', 2],
  ['70000', '\\boxed{70\\,000 \\text{ dollars}}', 2],
  ['70000', '\\boxed{70 000}', 1],
  ['7', '70,000', null],
  ['1820', '\\boxed{18, 20}', null],
  ['1234', '\\boxed{1.234}', null],
  ['3.5', 'The answer is 3,5', 2],
  ['0.5', '\\boxed{\\frac{1}{2}}', 2],
  ['1/2', '\\boxed{\\dfrac{50}{100}}', 2],
  ['\\frac{2}{3}', '4/6', 2],
  ['0.5', '\\boxed{\\frac12}', 2],
  ['0.5', '.5', 2],
  ['2.5', '\\boxed{2\\frac{1}{2}}', 2],
  ['2.5', 'answer: 2 1/2 cups', 2],
  ['2.5', 'answer: 2 and 1/2 cups', 2],
  ['-2.5', '\\boxed{-2\\frac12}', 2],
  ['1.5', '1½', 2],
  ['1', '1/0', null],
  ['50', '\\boxed{50\\%}', 2],
  ['0.5', '50 percent', 2],
  ['50%', '0.5', 2],
  ['50%', '50', 2],
  ['0.5', '50', null],
  ['1,450,000', 'It is 1.45e6', 2],
  ['2000', '\\boxed{2 \\times 10^{3}}', 2],
  ['0.002', '\\boxed{2 \\cdot 10^{-3}}', 2],
  ['2.6666667', '8/3', 3],
  ['2/3', '0.6666667', 3],
  ['2/3', '0.667', null],
  ['18', '17.99999999', 3],
  ['18', '17.9999', null],
  ['1450000', '1450001', null],
  ['1450000', '1450000.9', null],
  ['0.1', '0.1000000000000000055511151231257827', 3],
  ['9007199254740993', '9007199254740992', null],
];

describe('the right answer and a response', () => {
  it.each(rows)('%s, %j: tier %s', (gold, response, tier) => {
    expect(compareAnswers(gold, response)).toMatchObject({
      isEqual: tier !== null,
      tier,
      unsure: tier === 3,
    });
  });
});

describe('a response that is made to hurt', () => {
  const digits = '9'.repeat(100_000);
  const hostile: Readonly<Record<string, string>> = {
    'many digits': digits,
    'many digits in a box': `\\boxed{${digits}}`,
    'a fraction of many digits': `\\boxed{\\frac{${digits}}{${digits}}}`,
    'many groups': `1,${'111,'.repeat(30_000)}`,
    'a huge power': '1e999999999',
    'a power of many digits': `1e${digits}`,
    'a tower of powers': '\\boxed{9^{9^{9^{9}}}}',
    'open boxes': '\\boxed{'.repeat(20_000),
    'nested boxes': `${'\\boxed{'.repeat(20_000)}1${'}'.repeat(20_000)}`,
    'open fractions': '\\frac{'.repeat(30_000),
    'open texts': '\\text{'.repeat(30_000),
    'many answers': 'answer is '.repeat(20_000),
    'many numbers': '1 '.repeat(100_000),
    'many slashes': '1/'.repeat(100_000),
    'many ands': '1 and '.repeat(40_000),
    'a mixed number that goes on': `1 1/${digits},9`,
    'two long numbers': `${digits} ${digits}`,
    'long numbers with a comma': `${digits},${digits}`,
    'equations with many numbers': `${'1 '.repeat(90_000)}=2 3`,
    'many equations in a box': `\\boxed{${'1 1 '.repeat(40_000)}=${'='.repeat(30_000)}}`,
    'many equations': '='.repeat(200_000),
    'many powers': '^{'.repeat(90_000),
    braces: '{'.repeat(100_000),
    spaces: ' '.repeat(200_000),
    signs: '-'.repeat(200_000),
    points: '.'.repeat(200_000),
    hashes: '#'.repeat(200_000),
    commas: ','.repeat(200_000),
  };

  it.each(Object.keys(hostile))('%s: is another answer than 18', (name) => {
    expect(compareAnswers('18', hostile[name] ?? '').isEqual).toBe(false);
  });

  it('and is compared as text where it is too long for a number', () => {
    expect(compareAnswers(digits, `\\boxed{${digits}}`)).toMatchObject({ tier: 1 });
    expect(compareAnswers(digits, `\\boxed{${digits}9}`)).toMatchObject({ tier: null });
  });
});

describe('whatever is written', () => {
  it('never throws, and a record keeps at most 200 characters of it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (gold, text) => {
        const { answer } = compareAnswers(gold, text);
        expect(answer?.length ?? 0).toBeLessThanOrEqual(200);
      }),
    );
  });

  it('a whole number is equal to itself and to nothing near it', () => {
    const number = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
    fc.assert(
      fc.property(number, fc.bigInt({ min: 1n, max: 50n }), (value, step) => {
        expect(compareAnswers(String(value), `\\boxed{${value}.0}`).isEqual).toBe(true);
        expect(compareAnswers(String(value), `\\boxed{${value + step}}`).isEqual).toBe(false);
      }),
    );
  });
});
