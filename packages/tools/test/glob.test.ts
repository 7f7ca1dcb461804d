import { expect, it } from 'vitest';
import { asksForHidden, globMatcher } from '../src/search/glob.ts';

it.each<[string, readonly string[], readonly string[]]>([
  ['*.py', ['a.py', 'x/y/b.py'], ['a.pyc', '.a.py', '.x/a.py', 'py']],
  ['test_?.[ch]', ['test_1.c', 'd/test_2.h'], ['test_12.c', 'test_1.x']],
  ['src/**/*.ts', ['src/a.ts', 'src/x/y/a.ts'], ['a.ts', 'lib/src/a.ts', 'src/.x/a.ts']],
  ['src/*.ts', ['src/a.ts'], ['src/x/a.ts']],
  ['**/*.md', ['a.md', 'x/a.md'], ['.x/a.md']],
  ['*.{ts,tsx}', ['a.ts', 'a.tsx'], ['a.js']],
  ['!*.min.js', ['a.js'], ['a.min.js', '.a.js']],
  ['.env*', ['.env', '.env.local', 'x/.env'], ['env']],
  ['.github/**', ['.github/a', '.github/w/b.yml'], ['github/a']],
  ['[!a]*', ['b', 'x/b'], ['a', '.b']],
  ['a+b(c).txt', ['a+b(c).txt'], ['aab(c).txt']],
  ['[z-a]', ['[z-a]'], ['z']],
  ['/top.txt', ['top.txt'], ['x/top.txt']],
])('%s', (glob, fitting, others) => {
  const fits = globMatcher(glob);
  expect(fitting.filter((path) => !fits(path))).toEqual([]);
  expect(others.filter(fits)).toEqual([]);
});

it('knows which globs ask for names with a dot', () => {
  expect(['.env', 'a/.b', '{x,.y}'].map(asksForHidden)).toEqual([true, true, true]);
  expect(['*', './a', 'a.b', null].map(asksForHidden)).toEqual([false, false, false, false]);
});
