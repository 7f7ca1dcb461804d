import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import * as testing from '../src/testing/index.ts';

const folder = new URL('../src/testing/', import.meta.url);

it('exports exactly the kit', () => {
  expect(Object.keys(testing)).toEqual(['describeSandboxConformance']);
});

it('imports nothing but vitest, Node and this package', async () => {
  const foreign: string[] = [];
  const names = await readdir(folder, { recursive: true });
  for (const name of names.filter((one) => one.endsWith('.ts'))) {
    const text = await readFile(new URL(name, folder), 'utf8');
    const imported = [...text.matchAll(/ from '([^']+)';$/gm)].map(([, from]) => from ?? '');
    foreign.push(
      ...imported.filter((from) => !/^(\.|node:|vitest$|@hermes\/protocol$)/.test(from)),
    );
  }
  expect(foreign).toEqual([]);
});
