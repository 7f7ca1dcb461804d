import { startFakeHub } from '@hermes/datasets/testing';
import { afterAll, expect, it } from 'vitest';
import { type Gsm8kConfig, gsm8k, humaneval } from '../src/index.ts';
import { openContext, temporaryFolder } from './_play.ts';

const wordProblem = (question: string): string =>
  `${JSON.stringify({ question, answer: 'One.\n#### 1' })}\n`;
const codeProblem = JSON.stringify({
  task_id: 'HumanEval/0',
  prompt: 'def f():\n',
  entry_point: 'f',
  canonical_solution: '    return 1\n',
  test: 'def check(candidate):\n    assert candidate() == 1\n',
});

let isTrainAway = false;
const hub = await startFakeHub({
  fault: ({ path }) =>
    isTrainAway && path.includes('main/train-') ? { kind: 'status', status: 403 } : null,
  datasets: {
    'openai/gsm8k': {
      revisions: {
        main: {
          'main/train-00000-of-00001.jsonl': wordProblem('train?'),
          'main/test-00000-of-00001.jsonl': wordProblem('test?'),
          'socratic/train-00000-of-00001.jsonl': wordProblem('socratic train?'),
          'socratic/test-00000-of-00001.jsonl': wordProblem('socratic test?'),
        },
      },
    },
    'openai/openai_humaneval': {
      revisions: {
        main: { 'openai_humaneval/test-00000-of-00001.jsonl': `${codeProblem}\n` },
      },
    },
  },
});
afterAll(() => hub.close());

async function context() {
  return openContext({ HF_ENDPOINT: hub.endpoint, HF_HOME: await temporaryFolder() });
}

type Split = 'eval' | 'train';

async function firstQuestion(
  keys: Pick<Gsm8kConfig, 'dataset' | 'datasetName' | 'datasetSplit'> = {},
  split: Split = 'eval',
): Promise<unknown> {
  const environment = await gsm8k.open({ ...keys, tools: false }, await context());
  return firstOf(environment, split);
}

async function firstOf(
  { items }: Awaited<ReturnType<typeof gsm8k.open>>,
  split: Split,
): Promise<unknown> {
  for await (const item of items({ split, start: 0 } as never)) return item.data.question;
  return null;
}

it('by default the test split of the hub is played, and its commit is the revision', async () => {
  const environment = await gsm8k.open({ tools: false }, await context());
  expect(environment.datasetRevision).toMatch(/^[0-9a-f]{40}$/);
  expect(await firstQuestion()).toBe('test?');
});

it('an address chooses another part of it', async () => {
  expect(await firstQuestion({ dataset: 'hf://openai/gsm8k:train' })).toBe('train?');
  expect(await firstQuestion({ dataset: 'hf://openai/gsm8k/socratic' })).toBe('socratic test?');
});

it('so do the keys of older configurations', async () => {
  const older = { datasetName: 'openai/gsm8k', datasetSplit: 'train' };
  expect(await firstQuestion(older)).toBe('train?');
});

it('nobody trains on the test split unless told so', async () => {
  expect(await firstQuestion({}, 'train')).toBe('train?');
  expect(await firstQuestion({ dataset: 'hf://openai/gsm8k' }, 'train')).toBe('train?');
  expect(await firstQuestion({ datasetSplit: 'test' }, 'train')).toBe('test?');
});

it('what could not be read to train on is read again when it is asked for again', async () => {
  const environment = await gsm8k.open({ tools: false }, await context());
  isTrainAway = true;
  await expect(firstOf(environment, 'train')).rejects.toThrow('gated');
  isTrainAway = false;
  expect(await firstOf(environment, 'train')).toBe('train?');
});

it('HumanEval comes from the hub too', async () => {
  const config = { timeout: 3, memoryMib: 512 };
  const environment = await humaneval.open(config, await context());
  for await (const item of environment.items({ split: 'eval', start: 0 } as never))
    expect(item.id).toBe('HumanEval/0');
});
