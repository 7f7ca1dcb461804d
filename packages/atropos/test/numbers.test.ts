import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readGroup } from '../src/wire/scored-data.ts';

const space = fc.constantFrom('', '', '', ' ', '\n', ' \t');
const whole = fc.oneof(
  fc.integer().map(String),
  fc.constantFrom('0', '-0', '7', '-100', '151643', '9007199254740993'),
);
const fraction = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.constantFrom('0.0', '-0.5', '1e-7', '2E+3', '1.0', '0.10000000000000001'),
);

/** A list as any JSON writer could write it. */
function listOf(entry: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const spaced = fc.tuple(space, entry, space).map((parts) => parts.join(''));
  return fc.array(spaced, { maxLength: 12 }).map((entries) => `[${entries.join(',')}]`);
}

it('reads every list of numbers as a JSON reader does, and makes floats of whole numbers', () => {
  const texts = fc.tuple(listOf(whole), listOf(fc.oneof(whole, fraction)));
  fc.assert(
    fc.property(texts, ([ints, floats]) => {
      const body = `{"tokens":[${ints}],"masks":[${ints}],"scores":${floats},"advantages":[${floats}]}`;
      const read = readGroup(Buffer.from(body), false);
      if (!('value' in read)) throw new Error(JSON.stringify(read.issues));
      const text = read.value.json.toString();
      const { tokens, masks, scores, advantages } = JSON.parse(body);
      expect(JSON.parse(text)).toMatchObject({ tokens, masks, scores, advantages });
      expect(text).not.toMatch(/\s/);
      for (const written of /"scores":\[(.*?)\]/.exec(text)?.[1]?.split(',') ?? [])
        expect(written).toMatch(/^$|[.eE]/);
    }),
    { numRuns: 300 },
  );
});

it('refuses what no JSON reader takes for a number', () => {
  for (const wrong of [
    '01',
    '-',
    '1.',
    '.5',
    '+1',
    '1e',
    '0x1',
    '--1',
    '1..2',
    '1.2.3',
    '1,',
    ',1',
  ]) {
    const body = Buffer.from(`{"tokens":[],"masks":[],"scores":[0.5,${wrong},0.5]}`);
    expect(() => readGroup(body, false), wrong).toThrow(/Expecting/);
  }
});

it('has room for numbers that get longer on the way', () => {
  const many = (text: string) => `[${Array(1000).fill(text).join(',')}]`;
  const body = `{"tokens":[${many('1e15')}],"masks":[${many('1e15')}],"scores":${many('0')}}`;
  const read = readGroup(Buffer.from(body), false);
  const written = 'value' in read ? JSON.parse(read.value.json.toString()) : read.issues;
  expect(written.tokens[0]).toEqual(Array(1000).fill(1e15));
  expect(written.scores).toEqual(Array(1000).fill(0));
});
