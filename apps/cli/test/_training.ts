import type { Environment, EnvironmentDefinition, OpenModel } from '@hermes/env-core';
import { scriptedTokenModel } from '@hermes/protocol/testing';
import type { CliOptions, ModelEntry } from '../src/index.ts';

/** Sums without end of which one attempt in two is right: groups whose scores differ. */
export function sums(
  changes: Partial<Environment<number>> = {},
  items: number = Number.POSITIVE_INFINITY,
): EnvironmentDefinition<unknown, number> {
  const environment: Environment<number> = {
    datasetRevision: 'r1',
    toolsets: [],
    async *items({ start, split }) {
      const end = split === 'eval' ? 2 : items;
      for (let index = start; index < end; index += 1) yield { id: `sum-${index}`, data: index };
    },
    prompt: ({ data }) => [{ role: 'user', content: `${data} + ${data}?` }],
    computeReward: async ({ data }, { messages }) =>
      messages.at(-1)?.content === String(2 * data) ? 1 : 0,
    ...changes,
  };
  return {
    id: 'sums',
    version: '1',
    description: 'sums for tests',
    config: {
      '~standard': { version: 1, vendor: 'test', validate: () => ({ value: {} }) },
    },
    open: async () => environment,
  };
}

const answer: OpenModel = ({ identity }) => {
  const number = Number(identity.itemId.split('-')[1]);
  return scriptedTokenModel(String(2 * number + (identity.attempt % 2)));
};

/** A model that can be trained on: the first attempt at a sum is right, the second wrong, and so on. */
export function tokenModel(open: OpenModel = answer): ModelEntry {
  return {
    name: 'scripted',
    description: 'a script in token space',
    isTrusted: true,
    choose: async () => ({ provider: 'test', modelId: 'scripted', open }),
  };
}

/** Options under which `sums` and `scripted` can be named. */
export function trainingOptions(
  workingDirectory: string,
  changes: Readonly<{
    environment?: EnvironmentDefinition<unknown, number>;
    model?: ModelEntry;
  }> = {},
): CliOptions {
  const { environment = sums(), model = tokenModel() } = changes;
  return {
    workingDirectory,
    environments: [environment as EnvironmentDefinition],
    models: [model],
  };
}
