import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import * as atropos from '../src/index.ts';
import * as testing from '../src/testing/index.ts';

it('exports exactly these names', () => {
  expect(Object.keys(atropos).sort()).toEqual([
    'TrainerError',
    'checkGroup',
    'createTrajectoryClient',
    'createTrajectoryServer',
    'joinTrainer',
  ]);
  expect(Object.keys(testing).sort()).toEqual([
    'freePort',
    'rawRequest',
    'runApiCases',
    'scoredGroup',
    'startFakeTinker',
    'startFakeTrainer',
    'startRunApi',
  ]);
});

it('depends on the protocol and zod', async () => {
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  expect(Object.keys(JSON.parse(text).dependencies)).toEqual(['@hermes/protocol', 'zod']);
});
