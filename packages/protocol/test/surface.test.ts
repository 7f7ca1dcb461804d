import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import * as protocol from '../src/index.ts';
import * as testing from '../src/testing/index.ts';

it('exports two classes and otherwise only types', () => {
  expect(Object.keys(protocol).sort()).toEqual(['HermesError', 'ModelError']);
});

it('exports exactly these test helpers', () => {
  expect(Object.keys(testing).sort()).toEqual([
    'collectEvents',
    'countingIds',
    'fakeClock',
    'memoryLogger',
    'memoryTrainer',
    'scriptedModel',
    'scriptedTokenModel',
    'seededRandom',
    'testEffects',
  ]);
});

it('has no runtime dependencies', async () => {
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  expect(JSON.parse(text)).not.toHaveProperty('dependencies');
  expect(JSON.parse(text)).not.toHaveProperty('peerDependencies');
});
