import { expect, it } from 'vitest';
import { configDigest } from '../src/index.ts';

it('is the same for the same values in any order, with or without undefined ones', () => {
  const digest = configDigest({}, { a: 1, b: { c: [{ d: 1, e: 2 }], f: null } });
  expect(digest).toMatch(/^[0-9a-f]{64}$/);
  const same = { b: { f: null, c: [{ e: 2, d: 1 }] }, x: undefined, a: 1 };
  expect(configDigest({}, same)).toBe(digest);
});

it('differs with any value, and leaves out only the keys that name a place', () => {
  const definition = { places: ['path'] };
  const digest = configDigest(definition, { path: '/a', level: 1 });
  expect(configDigest(definition, { path: '/b', level: 1 })).toBe(digest);
  expect(configDigest(definition, { path: '/a', level: 2 })).not.toBe(digest);
  expect(configDigest({}, { path: '/a', level: 1 })).not.toBe(
    configDigest({}, { path: '/b', level: 1 }),
  );
});

it('takes what a schema may return instead of a map', () => {
  expect(configDigest({}, null)).toBe(configDigest({}, undefined));
  expect(configDigest({ places: ['0'] }, ['a'])).not.toBe(configDigest({}, ['b']));
});
