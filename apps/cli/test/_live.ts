import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EnvironmentDefinition } from '@hermes/env-core';
import {
  type FakeAnswer,
  type FakeOpenAiServer,
  type FakeServerScript,
  startFakeOpenAiServer,
} from '@hermes/model-openai/testing';
import type { JsonObject, Message, RolloutRecord, Tool, Toolset } from '@hermes/protocol';
import type { CliOptions } from '../src/index.ts';
import { type Ended, hermes, inFolder } from './_run.ts';

// loaded ahead, so that no test has to wait for it
await Promise.all([
  import('@hermes/task-folders'),
  import('../src/commands/evaluate.ts'),
  import('../src/openai/choose-openai-model.ts'),
]);

/** A tool that notes a word, for as many calls at once as a model likes. */
const notes: Toolset = {
  name: 'notes',
  toolNames: ['note'],
  async open() {
    const note: Tool = {
      parallel: false,
      schema: {
        type: 'function',
        function: {
          name: 'note',
          description: 'Notes a word.',
          parameters: {
            type: 'object',
            properties: { word: { type: 'string' } },
            required: ['word'],
          },
        },
      },
      execute: async ({ word }) => ({ status: 'completed', content: `noted ${String(word)}` }),
    };
    return { tools: [note] };
  },
};

/** Passes when the word was noted, whatever is said about it. */
export const noting: EnvironmentDefinition<unknown, string> = {
  id: 'noting',
  version: '1.0.0',
  description: 'Note the word.',
  config: { '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) } },
  open: async () => ({
    datasetRevision: 'r1',
    toolsets: [notes],
    async *items() {
      yield { id: 'apple', data: 'apple' };
    },
    prompt: (item) => [{ role: 'user', content: `Note ${item.data}.` }],
    computeReward: async (item, { messages }) =>
      messages.some(({ role, content }) => role === 'tool' && content === `noted ${item.data}`)
        ? 1
        : 0,
  }),
};

/** An answer that notes the word. */
export const callNote = (
  word = 'apple',
): Readonly<{ toolCalls: { name: string; arguments: JsonObject }[] }> => ({
  toolCalls: [{ name: 'note', arguments: { word } }],
});

/** One run of a live model: how the command ended, what it recorded, what the server saw. */
export interface LiveRun extends Ended {
  readonly records: readonly RolloutRecord[];
  readonly server: FakeOpenAiServer;
  readonly folder: string;
}

/** Plays the one item of `noting` against a server of its own, whose script is `answers`. Afterwards no request may be open. */
export function playLive<T>(
  answers: FakeServerScript['answers'] | FakeAnswer,
  flags: readonly string[],
  look: (run: LiveRun) => T | Promise<T>,
  more: CliOptions & { readonly script?: Partial<FakeServerScript> } = {},
): Promise<T> {
  const { script, ...options } = more;
  return inFolder(async (folder) => {
    const list = Array.isArray(answers) || typeof answers === 'function' ? answers : [answers];
    const server = await startFakeOpenAiServer({ answers: list as never, ...script });
    try {
      const argv = ['evaluate', 'noting', '--model', 'openai:fake', '--run-dir', 'run'];
      const address = ['--base-url', server.baseUrl, '--openai.retry_delay', '0'];
      const ended = await hermes([...argv, ...address, '--max-tries', '1', ...flags], {
        environments: [noting as EnvironmentDefinition],
        workingDirectory: folder,
        ...options,
      });
      await Promise.all(server.requests.map((request) => request.ended));
      return await look({ ...ended, records: await recordsIn(folder), server, folder });
    } finally {
      await server.close();
    }
  });
}

/** What a run in `run` below the folder has recorded; [] where there is none. */
export async function recordsIn(folder: string, name = 'records'): Promise<RolloutRecord[]> {
  const text = await readFile(join(folder, 'run', `${name}.jsonl`), 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** In a word or two: the reward and how the agent ended, or who is to blame for that there is none. */
export function outcomeOf(record: RolloutRecord | undefined): string {
  if (record === undefined) return 'no record';
  if (record.status === 'errored') return `${record.errored.reason}/${record.errored.cause}`;
  return `reward ${record.reward.reward}, ${record.agent?.stopReason}`;
}

/** The messages of the request that came as number `number`, counted from 1. */
export function messagesOf(server: FakeOpenAiServer, number: number): readonly Message[] {
  return (server.requests[number - 1]?.body.messages ?? []) as readonly Message[];
}
