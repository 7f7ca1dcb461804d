import { expect, it } from 'vitest';
import { createPriceTable } from '../src/index.ts';

const table = createPriceTable({
  'gpt-9': { input: 2, output: 8, cached: 0.5 },
  'gpt-9-*': { input: 1, output: 4 },
  'gpt-9-mini-*': { input: 0.1, output: 0.4, cached: null, cacheWrite: 0.2 },
  free: { input: 0, output: 0, cached: 0, cacheWrite: 0 },
});

it.each([
  ['gpt-9', { input: 2, output: 8, cached: 0.5, cacheWrite: null }],
  ['gpt-9-2026-01-01', { input: 1, output: 4, cached: null, cacheWrite: null }],
  ['gpt-9-mini-2026', { input: 0.1, output: 0.4, cached: null, cacheWrite: 0.2 }],
  ['free', { input: 0, output: 0, cached: 0, cacheWrite: 0 }],
])('knows the price of %s; what is not told is null', (model, price) => {
  expect(table.price(model)).toEqual(price);
});

it.each(['gpt-8', '', 'gpt', 'toString', '__proto__'])(
  'has no price for "%s", rather than 0',
  (model) => {
    expect(table.price(model)).toBeNull();
  },
);

it.each([
  ['m.input', { output: 1 }],
  ['m.output', { input: 1 }],
  ['m.input', { input: '1', output: 1 }],
  ['m.cached', { input: 1, output: 1, cached: -1 }],
  ['m.output', { input: 1, output: Number.POSITIVE_INFINITY }],
  ['m.caching', { input: 1, output: 1, caching: 1 }],
  ['m', 5],
])('refuses a wrong price by its path %s', (path, price) => {
  const create = () => createPriceTable({ m: price as never });
  expect(create).toThrow(expect.objectContaining({ boundary: 'config', code: 'CONFIG' }));
  expect(create).toThrow(new RegExp(`^The price ${path} .*\\.$`));
});
