import type { Environment, EnvironmentDefinition } from '@hermes/env-core';
import { type Script, scriptedTokenModel } from '@hermes/protocol/testing';
import { onTestFinished } from 'vitest';
import { type RolloutServer, type RolloutServerOptions, startRolloutServer } from '../src/index.ts';

/** Three items without a sandbox; who says `right` gets 1. */
export function plainDefinition(
  changes: Partial<Environment> = {},
  id = 'plain',
): EnvironmentDefinition {
  return {
    id,
    version: '1.0.0',
    description: 'Says a word.',
    config: { '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) } },
    open: async () => ({
      datasetRevision: 'r1',
      toolsets: [],
      async *items({ start }) {
        for (let index = start; index < 3; index += 1) yield { id: `item-${index}`, data: index };
      },
      prompt: ({ id: itemId }) => [{ role: 'user', content: `Do ${itemId}.` }],
      computeReward: async (_item, { messages }) => (messages.at(-1)?.content === 'right' ? 1 : 0),
      ...changes,
    }),
  };
}

/** The scripted model's tokens are code points. */
export function textOf(ids: readonly number[]): string {
  return String.fromCodePoint(...ids);
}

/** A model in token space that plays the script in every rollout. */
export function scripted(script: Script): RolloutServerOptions['openModel'] {
  return () => ({
    provider: 'scripted',
    modelId: 'scripted',
    open: () => scriptedTokenModel(script),
  });
}

/** What of the answers the tests look at. An answer has a few of these. */
// biome-ignore lint/suspicious/noExplicitAny: the tests say themselves what they expect
type Body = Readonly<Record<string, any>> & Readonly<{ rollouts: readonly any[] }>;

type Answer = Readonly<{ status: number; body: Body }>;

/** A server that is closed with the test, and a way to ask it. */
export async function openServer(options: Partial<RolloutServerOptions> = {}): Promise<
  Readonly<{
    server: RolloutServer;
    ask: (path: string, body?: object, headers?: Record<string, string>) => Promise<Answer>;
  }>
> {
  const server = await startRolloutServer({
    environments: [{ definition: plainDefinition(), config: {} }],
    openModel: scripted('right'),
    run: { sandboxes: null, sinks: [] },
    ...options,
  });
  onTestFinished(() => server.close());
  const ask = async (path: string, body?: object, headers = {}) => {
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(`${server.baseUrl}${path}`, { headers, ...sent });
    return { status: answer.status, body: (await answer.json()) as Body };
  };
  return { server, ask };
}
