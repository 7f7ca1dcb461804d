import { expect, it } from 'vitest';
import { coerceArguments, fitsSchema } from '../src/coerce-arguments.ts';

const property = (schema: object) => JSON.parse(JSON.stringify({ properties: { x: schema } }));

it.each([
  ['5', { type: 'integer' }, 5],
  ['5.0', { type: 'integer' }, 5],
  [' -7 ', { type: 'integer' }, -7],
  ['12.5', { type: 'integer' }, '12.5'],
  ['9007199254740993', { type: 'integer' }, '9007199254740993'],
  ['12.5', { type: 'number' }, 12.5],
  ['1e3', { type: 'number' }, 1000],
  ['1e999', { type: 'number' }, '1e999'],
  ['inf', { type: 'number' }, 'inf'],
  ['nan', { type: 'number' }, 'nan'],
  ['0x10', { type: 'integer' }, '0x10'],
  ['', { type: 'number' }, ''],
  ['true', { type: 'boolean' }, true],
  ['False', { type: 'boolean' }, false],
  ['yes', { type: 'boolean' }, 'yes'],
  ['1', { type: 'boolean' }, '1'],
  ['5', { type: ['integer', 'boolean'] }, 5],
  ['true', { type: ['integer', 'boolean'] }, true],
  ['5', { type: ['string', 'integer'] }, '5'],
  ['5', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, 5],
  ['5', { type: 'string' }, '5'],
  ['5', {}, '5'],
  ['[1]', { type: 'array' }, '[1]'],
])('reads %j for %j as %j', (text, schema, expected) => {
  expect(coerceArguments({ x: text }, property(schema))).toEqual({ x: expected });
});

it('leaves values that are no texts, and the object itself, alone', () => {
  const args = { x: 5, y: '7' };
  expect(coerceArguments(args, property({ type: 'string' }))).toBe(args);
  expect(coerceArguments(args, undefined)).toBe(args);
});

it('does not change the object it was given', () => {
  const args = Object.freeze({ x: '5' });
  expect(coerceArguments(args, property({ type: 'integer' }))).toEqual({ x: 5 });
});

it.each([
  [{}, { required: ['x'] }, false],
  [{ x: 1 }, { required: ['x'] }, true],
  [{ x: 'a' }, property({ type: 'integer' }), false],
  [{ x: null }, property({ type: ['integer', 'null'] }), true],
  [{ x: [] }, property({ type: 'object' }), false],
  [{ x: 1.5 }, property({ type: 'number' }), true],
  [{ y: 1 }, property({ type: 'string' }), true],
  [{ x: 'a' }, property({ enum: ['a'] }), true],
])('tells whether %j fits %j', (args, schema, fits) => {
  expect(fitsSchema(args, schema)).toBe(fits);
});
