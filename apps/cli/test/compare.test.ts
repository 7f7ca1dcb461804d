import type { EnvironmentDefinition } from '@hermes/env-core';
import { scriptedModel } from '@hermes/protocol/testing';
import { describe, expect, it } from 'vitest';
import { exitCodes, type ModelEntry } from '../src/index.ts';
import { type Ended, hermes, inFolder } from './_run.ts';

/** Passes when the answer contains the item's word. */
const words: EnvironmentDefinition<unknown, string> = {
  id: 'words',
  version: '1.0.0',
  description: 'Say the word.',
  config: { '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) } },
  open: async () => ({
    datasetRevision: 'r1',
    toolsets: [],
    async *items() {
      for (const id of ['one', 'two', 'three', 'four']) yield { id, data: id };
    },
    prompt: (item) => [{ role: 'user', content: `Say ${item.data}.` }],
    computeReward: async (item, { messages }) =>
      String(messages.at(-1)?.content).includes(item.data) ? 1 : 0,
  }),
};
const changed: EnvironmentDefinition<unknown, string> = { ...words, version: '2.0.0' };

/** `says:one,two` answers everything with `one,two`. */
const says: ModelEntry = {
  name: 'says',
  description: 'says always the same',
  isTrusted: true,
  choose: async (rest) => ({
    provider: 'says',
    modelId: rest ?? 'nothing',
    open: () => scriptedModel(rest ?? ''),
  }),
};

const options = { environments: [words as EnvironmentDefinition], models: [says] };

/** Makes one run a list of flags, in the folders a, b, c. */
async function makeRuns(folder: string, ...runs: readonly (readonly string[])[]): Promise<void> {
  for (const [index, flags] of runs.entries()) {
    const argv = ['evaluate', 'words', '--run-dir', 'abc'[index] ?? '', '--model', ...flags];
    const ended = await hermes(argv, { ...options, workingDirectory: folder });
    expect(ended).toMatchObject({ code: exitCodes.ran });
  }
}

function compare(folder: string, ...argv: readonly string[]): Promise<Ended> {
  return hermes(['compare', ...argv], { workingDirectory: folder });
}

describe('hermes compare', () => {
  it('shows both runs, what differs, the difference with its interval, and each task that flipped', () =>
    inFolder(async (folder) => {
      await makeRuns(folder, ['says:one,two'], ['says:two,three,four', '--temperature', '0']);
      const { code, stdout } = await compare(folder, 'a', 'b');
      expect(code).toBe(exitCodes.ran);
      expect(stdout).toContain('model.modelId was "one,two" and is "two,three,four"');
      expect(stdout).toContain('sampling.temperature was 1 and is 0');
      expect(stdout).toMatch(/score over valid trials +50\.0 % +75\.0 %/);
      expect(stdout).toContain('4 tasks paired\n');
      expect(stdout).toMatch(
        /B - A, over tasks scored in both: \+25\.0 points, 95 % interval -\d+\.\d points to \+\d+\.\d points \(bonett-price\), 4 tasks/,
      );
      expect(stdout).toContain('B better in 2, worse in 1, the same in 1; sign test p = 1.0000');
      expect(stdout).toMatch(/^one +1\.00 +0\.00$/m);
      expect(stdout).toMatch(/^three +0\.00 +1\.00$/m);
      expect(stdout).not.toMatch(/^two +/m);
    }));

  it('counts tasks that only one run has', () =>
    inFolder(async (folder) => {
      await makeRuns(folder, ['says:one'], ['says:two', '--include', 't*']);
      const { stdout } = await compare(folder, 'a', 'b');
      expect(stdout).toContain('2 tasks paired; not paired: 2 only in A');
    }));

  it('says the same by program', () =>
    inFolder(async (folder) => {
      await makeRuns(folder, ['says:one'], ['says:one,two']);
      const { stdout } = await compare(folder, 'a', 'b', '--json');
      expect(JSON.parse(stdout)).toMatchObject({
        runs: { first: 'a', second: 'b' },
        comparable: true,
        incomparable: [],
        tasks: { paired: 4, onlyFirst: 0, onlySecond: 0, unscored: 0 },
        valid: { difference: 0.25, interval: { method: 'bonett-price' } },
        flips: [{ itemId: 'two', first: 0, second: 1 }],
        signTest: { better: 1, worse: 0, same: 3, p: 1 },
      });
    }));

  it('refuses runs of different environments, unless it is told to', () =>
    inFolder(async (folder) => {
      await makeRuns(folder, ['says:one']);
      const other = { ...options, environments: [changed as EnvironmentDefinition] };
      const argv = ['evaluate', 'words', '--model', 'says:one', '--run-dir', 'b'];
      await hermes(argv, { ...other, workingDirectory: folder });
      const refused = await compare(folder, 'a', 'b');
      expect(refused).toMatchObject({ code: exitCodes.wrongUsage, stdout: '' });
      expect(refused.stderr).toMatch(
        /environment\.version was "1\.0\.0" and is "2\.0\.0".*--anyway/,
      );
      const anyway = await compare(folder, 'a', 'b', '--anyway');
      expect(anyway.code).toBe(exitCodes.ran);
      expect(anyway.stdout).toMatch(/not the same measurement:\n {2}environment\.version/);
    }));

  it('marks a run whose trials ran again until they were good enough', () =>
    inFolder(async (folder) => {
      await makeRuns(folder, ['says:one'], ['says:one']);
      const again = ['evaluate', 'words', '--model', 'says:one', '--run-dir', 'b', '--resume'];
      await hermes([...again, '--retry', 'reward<1'], { ...options, workingDirectory: folder });
      const { stdout } = await compare(folder, 'a', 'b');
      expect(stdout).toContain('marks differ: none in the first, rescored in the second');
      const json = JSON.parse((await compare(folder, 'a', 'b', '--json')).stdout);
      expect(json.comparable).toBe(false);
    }));

  it.each([
    [['compare', 'nowhere', 'nowhere'], /no run in .*nowhere/],
    [['compare', 'nowhere'], /missing required argument/],
    [
      ['evaluate', 'words', '--model', 'says:one', '--retry', 'errored'],
      /--retry runs trials of a run again: give --resume and --run-dir/,
    ],
    [
      [
        'evaluate',
        'words',
        '--model',
        'says:one',
        '--resume',
        '--run-dir',
        'a',
        '--retry',
        'erored,model',
      ],
      /unknown word 'erored'.*Did you mean errored\?.*model_timeout/,
    ],
  ])('%j is refused with what to do', (argv, message) =>
    inFolder(async (folder) => {
      const ended = await hermes(argv, { ...options, workingDirectory: folder });
      expect(ended.code).toBe(exitCodes.wrongUsage);
      expect(ended.stderr).toMatch(message);
    }),
  );
});
