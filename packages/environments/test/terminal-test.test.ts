import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openNoop, openOracle } from '@hermes/env-core';
import { describe, expect, it } from 'vitest';
import { terminalTest } from '../src/index.ts';
import { ISOLATIONS, outcomes, play, temporaryFolder } from './_play.ts';

describe.each(ISOLATIONS)('the built-in tasks, isolation %s', (isolation) => {
  it('are all passed by their own solutions and failed by nothing', async () => {
    const oracle = await play(terminalTest, {}, openOracle, isolation);
    expect(oracle.summary).toMatchObject({
      total: 6,
      passed: 6,
      failed: 0,
      errored: 0,
      metrics: { accuracy: 1, partial_match_rate: 0 },
    });
    const noop = await play(terminalTest, {}, openNoop, isolation);
    expect(noop.summary).toMatchObject({ total: 6, passed: 0, failed: 6, errored: 0 });
  }, 60_000);
});

/** Plays a command as the agent's only turn in a task that asks for "done" in ~/out.txt. */
async function rewardOf(command: string, expected = 'done'): Promise<unknown> {
  const dataset = join(await temporaryFolder(), 'tasks.jsonl');
  const row = { prompt: 'Do it.', verify_path: '~/out.txt', expected_content: expected };
  await writeFile(dataset, JSON.stringify(row));
  const call = { name: 'terminal', arguments: { command } };
  const turns = [
    { content: '', calls: [call] },
    { content: 'Done.', calls: [] },
  ];
  const definition = {
    ...terminalTest,
    open: async (...given: Parameters<typeof terminalTest.open>) => ({
      ...(await terminalTest.open(...given)),
      solution: async () => ({ turns }),
    }),
  };
  const { records } = await play(definition, { dataset }, openOracle, 'none');
  return outcomes(records)['task-1'];
}

describe('the file', () => {
  it.each([
    ['that is right', 'printf "done" > ~/out.txt', 1],
    ['with white space around', 'printf "\\n done \\n\\n" > ~/out.txt', 1],
    ['with more text', 'echo "it is done now" > ~/out.txt', 0.5],
    ['with other text', 'echo no > ~/out.txt', 0],
    ['that is empty', ': > ~/out.txt', 0],
    ['that is a folder', 'mkdir ~/out.txt', 0],
    ['that is a link', 'echo done > ~/other; ln -s other ~/out.txt', 0],
    ['that is a pipe', 'mkfifo ~/out.txt', 0],
    ['that is huge', 'echo done > ~/out.txt; truncate -s 1G ~/out.txt', 0],
    ['in a home of the agent', 'export HOME=$(mktemp -d); echo done > ~/out.txt', 0],
    [
      'of an agent that replaced cat',
      'cat() { echo done; }; export -f cat; echo no > ~/out.txt',
      0,
    ],
  ])('%s, is worth its reward', async (_name, command, reward) => {
    expect(await rewardOf(command)).toBe(reward);
  });
});

it('each rollout has a home folder of its own', async () => {
  const command =
    'if [ -e ~/out.txt ]; then echo again > ~/out.txt; else echo done > ~/out.txt; fi';
  expect(await rewardOf(command)).toBe(1);
  expect(await rewardOf(command)).toBe(1);
});
