/** The `hermes` command with an environment of sums and a model of scripts in token space: what the proofs of training kill. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type ModelEntry, runCli } from '@hermes/cli';
import type { Environment, EnvironmentDefinition } from '@hermes/env-core';
import { scriptedTokenModel } from '@hermes/protocol/testing';
import { isBroken, isFlat, isLong } from './sums.ts';

const environment: Environment<number> = {
  datasetRevision: 'r1',
  toolsets: [],
  async *items({ start }) {
    for (let index = start; ; index += 1) yield { id: `sum-${index}`, data: index };
  },
  prompt: ({ data }) => [{ role: 'user', content: `sum-${data}.` }],
  computeReward: async ({ data }, { messages }) => {
    if (isBroken(data)) throw new Error('The scale is broken');
    return isFlat(data) ? 1 : Number(String(messages.at(-1)?.content).at(-1)) % 2;
  },
};

const sums: EnvironmentDefinition = {
  id: 'sums',
  version: '1',
  description: 'sums without end',
  config: { '~standard': { version: 1, vendor: 'prove', validate: () => ({ value: {} }) } },
  open: async () => environment as Environment,
};

const scripted: ModelEntry = {
  name: 'scripted',
  description: 'answers with the number of its attempt, after a moment',
  isTrusted: true,
  choose: async () => ({
    provider: 'prove',
    modelId: 'scripted',
    open: ({ identity }) => {
      const long = isLong(Number(identity.itemId.split('-')[1])) ? 'x'.repeat(500) : '';
      return scriptedTokenModel(async () => {
        await sleep(Math.random() * 20);
        return `${long}${identity.attempt % 10}`;
      });
    },
  }),
};

process.exitCode = await runCli(process.argv.slice(2), {
  environments: [sums],
  models: [scripted],
});
