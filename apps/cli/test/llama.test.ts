import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTrajectoryServer, type TrajectoryServer } from '@hermes/atropos';
import { startFakeTrainer, startRunApi } from '@hermes/atropos/testing';
import { callText, defaultScript, writeAutomaton } from '@hermes/automaton';
import type { EnvironmentDefinition } from '@hermes/env-core';
import type { RolloutRecord, TokenSegment } from '@hermes/protocol';
import { terminalToolset } from '@hermes/tools';
import { isExpected, pythonCommand } from '@hermes/vitest-config/services';
import { describe, expect, it } from 'vitest';
import { hermes, inFolder, summaryOf } from './_run.ts';

/** The answer 42 is right where the terminal was used on the way to it. */
const answers: EnvironmentDefinition = {
  id: 'answers',
  version: '1.0.0',
  description: 'asks for the answer',
  config: { '~standard': { version: 1, vendor: 'test', validate: () => ({ value: {} }) } },
  open: async () => ({
    datasetRevision: 'r1',
    toolsets: [terminalToolset()],
    async *items({ start }) {
      for (let index = start; index < 1000; index += 1)
        yield { id: `question-${index}`, data: index };
    },
    prompt: ({ id }) => [{ role: 'user', content: `What is the answer to ${id}?` }],
    sandbox: () => ({}),
    computeReward: async (_item, { messages }) => {
      const said = messages.map(({ content }) => JSON.stringify(content)).join('\n');
      return said.includes('hello') && said.includes('{42}') ? 1 : 0;
    },
  }),
};

/** Echoes a word that the command itself does not hold. */
const script = {
  ...defaultScript,
  calls: [{ text: callText('terminal', { command: "echo hel''lo" }), weight: 1 }],
  callAgain: 0.5,
};

/** Both, where the machine has both: the servers of the trainer's side, and the sandbox. */
const trainers: Readonly<
  Record<string, () => Promise<AsyncDisposable & Pick<TrajectoryServer, 'baseUrl'>>>
> = {
  'the trajectory server': () => createTrajectoryServer({ port: 0 }),
  ...(isExpected('atroposlib') && { 'the real run-api': () => startRunApi(pythonCommand) }),
};
const sandbox = isExpected('bubblewrap') ? 'bubblewrap' : 'host';

describe.each(Object.entries(trainers))('a model in this process feeds %s', (_name, start) => {
  it(
    'with groups of rollouts in sandboxes, whose batches are what was recorded',
    () =>
      inFolder(async (folder) => {
        const { gguf } = await writeAutomaton(folder, script);
        await using api = await start();
        const batches: unknown[] = [];
        const trainer = startFakeTrainer({
          baseUrl: api.baseUrl,
          batchSize: 8,
          steps: 2,
          maxTokens: 16_384,
          onBatch: (batch) => batches.push(...batch),
        });
        const ended = await hermes(
          [
            'serve',
            'answers',
            '--model',
            `llama:${gguf}`,
            '--sandbox',
            sandbox,
            '--trainer-url',
            api.baseUrl,
          ]
            .concat(
              '--env.group_size',
              '4',
              '--env.total_steps',
              '2',
              '--env.max_token_length',
              '256',
            )
            .concat('--concurrency', '4', '--run-dir', join(folder, 'run'), '--json'),
          { workingDirectory: folder, environments: [answers] },
        );
        expect(ended.code, ended.stderr).toBe(0);
        expect(await trainer.done).toMatchObject({ steps: 2, sequences: 16, problems: [] });
        expect(summaryOf(ended)).toMatchObject({ groups: { refused: {}, truncated: 0 } });
        const segments = await recordedSegments(join(folder, 'run'));
        for (const group of batches as readonly WireGroup[]) {
          expect(new Set(group.scores).size).toBe(2);
          for (const [index, tokens] of group.tokens.entries())
            expect(segments.get(tokens.join())).toMatchObject({
              mask: group.masks[index],
              logprobs: group.inference_logprobs[index],
              source: 'engine',
            });
        }
      }),
    120_000,
  );
});

type WireGroup = Readonly<{
  tokens: readonly (readonly number[])[];
  masks: readonly (readonly number[])[];
  inference_logprobs: readonly (readonly number[])[];
  scores: readonly number[];
}>;

/** What the run directory has, by its ids. */
async function recordedSegments(directory: string): Promise<ReadonlyMap<string, TokenSegment>> {
  const lines = (await readFile(join(directory, 'records.jsonl'), 'utf8')).trim().split('\n');
  const records = lines.map((line) => JSON.parse(line) as RolloutRecord);
  return new Map(
    records.flatMap(({ segments }) => segments.map((segment) => [segment.ids.join(), segment])),
  );
}

describe('hermes process with a model in this process', { timeout: 60_000 }, () => {
  it('writes exact tokens of turns with tools', () =>
    inFolder(async (folder) => {
      const { gguf } = await writeAutomaton(folder, script);
      const ended = await hermes(
        [
          'process',
          'answers',
          '--model',
          `llama:${gguf}`,
          '--sandbox',
          sandbox,
          '--limit',
          '2',
        ].concat('--out', 'tokens.jsonl', '--format', 'tokens', '--json'),
        { workingDirectory: folder, environments: [answers] },
      );
      expect(ended.code, ended.stderr).toBe(0);
      const lines = (await readFile(join(folder, 'tokens.jsonl'), 'utf8')).trim().split('\n');
      expect(lines).toHaveLength(2);
      for (const line of lines)
        expect(JSON.parse(line)).toMatchObject({ model: 'automaton', segment: 0 });
    }));

  it.each([
    ['llama', 'which file?'],
    ['llama:nowhere.gguf', 'There is no file'],
  ])('says what is wrong with --model %s', (model, said) =>
    inFolder(async (folder) => {
      const ended = await hermes(['process', 'answers', '--model', model, '--sandbox', sandbox], {
        workingDirectory: folder,
        environments: [answers],
      });
      expect(ended.code).toBe(2);
      expect(ended.stderr).toContain(said);
    }),
  );

  it('says so where the files beside the model belong to another', () =>
    inFolder(async (folder) => {
      const { gguf } = await writeAutomaton(folder, script);
      const other = { ...script, answers: [{ text: 'Another answer.', weight: 1 }] };
      await writeAutomaton(join(folder, 'other'), other);
      await copyFile(join(folder, 'other', 'tokenizer.json'), join(folder, 'tokenizer.json'));
      const ended = await hermes(
        ['process', 'answers', '--model', `llama:${gguf}`, '--sandbox', sandbox],
        { workingDirectory: folder, environments: [answers] },
      );
      expect(ended.code).toBe(2);
      expect(ended.stderr).toContain('The tokenizer does not fit');
    }));
});
