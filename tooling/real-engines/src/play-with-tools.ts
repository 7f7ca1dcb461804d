import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Environment, evaluate } from '@hermes/env-core';
import { createManagedServer } from '@hermes/managed-server';
import { hermesParser } from '@hermes/parsers/hermes';
import type {
  CompletedRollout,
  RolloutRecord,
  TokenEngine,
  Tokenizer,
  Toolset,
} from '@hermes/protocol';
import { createSandboxProvider } from '@hermes/sandbox-local';
import { type ToolResources, terminalToolset } from '@hermes/tools';

/** The real terminal under a short description: the prompt stays small, and a pass over it cheap. */
const terminal: Toolset<ToolResources> = {
  ...terminalToolset(),
  toolNames: ['terminal'],
  async open(needs, context) {
    const { tools, ...opened } = await terminalToolset().open(needs, context);
    const parameters = { type: 'object', properties: { command: { type: 'string' } } } as const;
    const schema = { type: 'function', function: { name: 'terminal', parameters } } as const;
    const [tool] = tools.filter((one) => one.schema.function.name === 'terminal');
    return { ...opened, tools: tool === undefined ? [] : [{ ...tool, schema }] };
  },
};

/** Asks for something so many times; the answer 42 is right. */
const environmentOf = (count: number): Environment<number> => ({
  datasetRevision: 'r1',
  toolsets: [terminal],
  async *items({ start }) {
    for (let index = start; index < count; index += 1) yield { id: `item-${index}`, data: index };
  },
  prompt: ({ data }) => [{ role: 'user', content: `What is the answer to question ${data}?` }],
  sandbox: () => ({}),
  computeReward: async (_item, { messages }) => {
    const { content } = messages.at(-1) ?? { content: '' };
    return typeof content === 'string' && content.includes('42') ? 1 : 0;
  },
});

/** Plays so many rollouts in sandboxes of this machine, each in a session of its own over the engine. */
export async function playWithTools(
  engine: TokenEngine,
  tokenizer: Tokenizer,
  count: number,
): Promise<readonly CompletedRollout[]> {
  const rootDir = await mkdtemp(join(tmpdir(), 'hermes-rollouts-'));
  const sandboxes = await createSandboxProvider(
    { isolation: 'none', rootDir },
    { openProvider: () => Promise.reject(new Error('there is no inner provider')) },
  );
  const server = await createManagedServer({ engine, tokenizer, parser: hermesParser });
  const records: RolloutRecord[] = [];
  try {
    await evaluate({
      definition: { id: 'answers', version: '1.0.0', configDigest: 'test' },
      environment: environmentOf(count),
      attempts: 1,
      model: {
        provider: 'llama',
        modelId: engine.modelId,
        open: ({ rolloutId }) => server.openSession(rolloutId),
      },
      sandboxes,
      sampling: { temperature: 1 },
      // a rollout that goes on and on by chance would end at the edge of the window, in a call that no engine gets
      limits: { agent: { maxTurns: 12 } },
      scheduler: { rollouts: 4 },
      sinks: [{ record: async (record) => void records.push(record) }],
    });
  } finally {
    await server.close();
    await sandboxes.close();
    await rm(rootDir, { recursive: true });
  }
  return records.map((record) => {
    if (record.status === 'completed') return record;
    throw new Error(`a rollout errored: ${JSON.stringify(record.errored)}`);
  });
}
