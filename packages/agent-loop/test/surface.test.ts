import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import * as agentLoop from '../src/index.ts';

it('exports exactly these names', () => {
  expect(Object.keys(agentLoop).sort()).toEqual([
    'addUsage',
    'createEmitter',
    'extractReasoning',
    'middleOut',
    'noContextPolicy',
    'onAbort',
    'runAgentLoop',
    'unknownUsage',
    'zeroUsage',
  ]);
});

it('depends on the protocol alone', async () => {
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  expect(JSON.parse(text).dependencies).toEqual({ '@hermes/protocol': 'workspace:^' });
});
