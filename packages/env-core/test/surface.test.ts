import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import * as envCore from '../src/index.ts';

it('exports exactly these names', () => {
  expect(Object.keys(envCore).sort()).toEqual([
    'chooseToolsets',
    'compareRuns',
    'configDigest',
    'configKeys',
    'createEffects',
    'createLimiter',
    'evaluate',
    'explainOwnKeys',
    'freeTrainingPath',
    'groupPlanOf',
    'loadRunConfig',
    'makeTrial',
    'openNoop',
    'openOracle',
    'openRunDirectory',
    'openTrainingFile',
    'ownConfigKeys',
    'planOf',
    'priceOf',
    'processRollouts',
    'readRun',
    'retrySelection',
    'runRollout',
    'serve',
    'summarise',
    'trainingLineSchema',
    'trialKey',
  ]);
});

it('depends on these packages only', async () => {
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  expect(Object.keys(JSON.parse(text).dependencies)).toEqual([
    '@hermes/agent-loop',
    '@hermes/protocol',
    '@hermes/sandbox',
    '@hermes/tools',
    'yaml',
    'zod',
  ]);
});
