import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readLines } from '../src/_read-lines.ts';
import { collect } from './_helpers.ts';

async function* chunksOf(bytes: Buffer, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0;
  for (const cut of [...cuts].sort((one, other) => one - other)) {
    const end = Math.min(cut, bytes.length);
    if (end > from) yield bytes.subarray(from, end);
    from = Math.max(from, end);
  }
  yield bytes.subarray(from);
}

it('finds the same lines, and numbers them alike, whatever the chunks', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'ä', '\n', '\r', ' '), maxLength: 60 });
  const property = fc.asyncProperty(text, fc.array(fc.nat(100)), async (content, cuts) => {
    const lines = await collect(readLines('file', chunksOf(Buffer.from(content), cuts)));
    const expected = content.split('\n');
    if (expected.at(-1) === '') expected.pop();
    expect(lines.map((line) => Buffer.from(line.bytes).toString())).toEqual(expected);
    expect(lines.map((line) => line.number)).toEqual(expected.map((_, index) => index + 1));
  });
  await fc.assert(property, { numRuns: 300 });
});
