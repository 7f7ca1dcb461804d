import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HermesError } from '@hermes/protocol';
import { scriptedModel } from '@hermes/protocol/testing';
import { describe, expect, it } from 'vitest';
import { hermes, inFolder, summaryOf } from './_run.ts';
import { sums, tokenModel, trainingOptions } from './_training.ts';

const play = ['process', 'sums', '--model', 'scripted'];

async function linesOf(folder: string, name: string): Promise<Record<string, unknown>[]> {
  const text = await readFile(join(folder, name), 'utf8');
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

describe('hermes process', () => {
  it('writes one trajectory a line, with a page and the run beside the file', () =>
    inFolder(async (folder) => {
      const argv = [...play, '--out', 'out.jsonl', '--limit', '3'];
      const ended = await hermes(argv, trainingOptions(folder));
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      const lines = await linesOf(folder, 'out.jsonl');
      expect(lines.map(({ itemId, reward }) => [itemId, reward])).toEqual([
        ['sum-0', 1],
        ['sum-1', 1],
        ['sum-2', 1],
      ]);
      expect((await readdir(folder)).toSorted()).toEqual(['out.html', 'out.jsonl', 'out.run']);
      expect(ended.stdout).toContain('WRITTEN sum-1 (rewards 1)');
      expect(ended.stdout).toContain(`run directory: ${join(folder, 'out.run')}`);
    }));

  it('writes groups of four attempts with --lines groups', () =>
    inFolder(async (folder) => {
      const argv = [...play, '--out', 'out.jsonl', '--limit', '2', '--lines', 'groups'];
      expect((await hermes(argv, trainingOptions(folder))).code).toBe(0);
      const lines = await linesOf(folder, 'out.jsonl');
      expect(lines.map(({ scores }) => scores)).toEqual([
        [1, 0, 1, 0],
        [1, 0, 1, 0],
      ]);
    }));

  it('takes the keys of the original for file, number and size, and flags win over the file', () =>
    inFolder(async (folder) => {
      await writeFile(
        join(folder, 'run.yaml'),
        'env:\n  data_path_to_save_groups: data/a.jsonl\n  total_steps: 2\n  group_size: 3\n',
      );
      const argv = [...play, '--config', 'run.yaml', '--group-size', '2', '--json'];
      const ended = await hermes(argv, trainingOptions(folder));
      expect(ended.code).toBe(0);
      expect(await linesOf(folder, 'data/a.jsonl')).toHaveLength(4);
      const dotted = ['--env.data_path_to_save_groups', 'b.jsonl', '--env.total_steps', '1'];
      expect((await hermes([...play, ...dotted], trainingOptions(folder))).code).toBe(0);
      expect(await linesOf(folder, 'b.jsonl')).toHaveLength(1);
    }));

  it('ends its events with a summary that says how many lines are where', () =>
    inFolder(async (folder) => {
      const argv = [...play, '--limit', '2', '--json', '--no-page'];
      const ended = await hermes(argv, trainingOptions(folder));
      const path = join(folder, 'data/sums.jsonl');
      expect(summaryOf(ended)).toMatchObject({
        type: 'summary',
        passed: 2,
        groups: { planned: 2, written: 2, skipped: {} },
        lines: { found: 0, written: 2, duplicates: 0 },
        paths: [path],
        page: null,
        runDirectory: join(folder, 'data/sums.run'),
      });
      const types = ended.stdout.trim().split('\n');
      expect(types.filter((line) => line.includes('"group_end"'))).toHaveLength(2);
      expect(types.filter((line) => line.includes('"run_end"'))).toEqual([]);
    }));

  it('keeps what is wanted, and each item in one part of a split', () =>
    inFolder(async (folder) => {
      const only = ['--out', 'bad.jsonl', '--limit', '2', '-g', '2', '--only', 'failed'];
      expect((await hermes([...play, ...only], trainingOptions(folder))).code).toBe(0);
      expect((await linesOf(folder, 'bad.jsonl')).map(({ reward }) => reward)).toEqual([0, 0]);
      const least = ['--out', 'good.jsonl', '--limit', '2', '-g', '2', '--min-reward', '0.5'];
      expect((await hermes([...play, ...least], trainingOptions(folder))).code).toBe(0);
      expect((await linesOf(folder, 'good.jsonl')).map(({ reward }) => reward)).toEqual([1, 1]);
      const split = ['--out', 'p.jsonl', '--limit', '30', '--split', 'train=0.5,test=0.5'];
      expect((await hermes([...play, ...split], trainingOptions(folder))).code).toBe(0);
      const train = await linesOf(folder, 'p.train.jsonl');
      const test = await linesOf(folder, 'p.test.jsonl');
      expect(new Set([...train, ...test].map(({ itemId }) => itemId)).size).toBe(30);
      expect(train.length * test.length).toBeGreaterThan(0);
    }));

  it('leaves a file alone that is there, and appends to it with --resume', () =>
    inFolder(async (folder) => {
      const argv = [...play, '--out', 'out.jsonl', '--limit'];
      await hermes([...argv, '2'], trainingOptions(folder));
      const before = await readFile(join(folder, 'out.jsonl'), 'utf8');
      await hermes([...argv, '1'], trainingOptions(folder));
      expect(await linesOf(folder, 'out_1.jsonl')).toHaveLength(1);
      const resumed = await hermes([...argv, '4', '--resume'], trainingOptions(folder));
      expect(resumed.code).toBe(0);
      expect(resumed.stdout).toContain('2 lines written, 2 were there before');
      const after = await readFile(join(folder, 'out.jsonl'), 'utf8');
      expect(after.startsWith(before)).toBe(true);
      expect((await linesOf(folder, 'out.jsonl')).map(({ itemId }) => itemId)).toEqual(
        [0, 1, 2, 3].map((index) => `sum-${index}`),
      );
    }));

  it('says that lines were taken away from its file', () =>
    inFolder(async (folder) => {
      const argv = [...play, '--out', 'out.jsonl', '--limit', '3', '--no-page'];
      const options = trainingOptions(folder);
      expect((await hermes(argv, options)).stderr).toBe('');
      await rm(join(folder, 'out.jsonl'));
      const ended = await hermes([...argv, '--resume'], options);
      expect(ended.code).toBe(0);
      expect(ended.stderr).toBe(
        'note: this run has written 3 groups, and its file has 0 lines: what was taken away is not written again\n',
      );
    }));

  it('writes tokens with masks and log-probs where the model gives them', () =>
    inFolder(async (folder) => {
      const argv = [...play, '--out', 'out.jsonl', '--limit', '1', '--format', 'tokens'];
      expect((await hermes(argv, trainingOptions(folder))).code).toBe(0);
      const [line] = await linesOf(folder, 'out.jsonl');
      const { tokens, masks, logprobs } = line as Record<string, readonly number[]>;
      expect(masks).toHaveLength(tokens?.length ?? -1);
      expect(logprobs).toHaveLength(tokens?.length ?? -1);
      expect(tokens?.at(-1)).toBe(masks?.at(-1));
    }));

  it('goes on after ctrl-C where it was', () =>
    inFolder(async (folder) => {
      const stop = new AbortController();
      const computeReward = async ({ data }: { readonly data: number }) => {
        if (data === 3) stop.abort(new Error('interrupted'));
        return 1;
      };
      const environment = sums({ computeReward }, 6);
      const argv = [...play, '--out', 'out.jsonl', '--concurrency', '1'];
      const cut = await hermes(argv, {
        ...trainingOptions(folder, { environment }),
        signal: stop.signal,
      });
      expect(cut.code).toBe(130);
      expect(cut.stdout).toContain('--resume goes on');
      const resumed = await hermes(
        [...argv, '--resume'],
        trainingOptions(folder, { environment: sums({}, 6) }),
      );
      expect(resumed.code).toBe(0);
      const lines = await linesOf(folder, 'out.jsonl');
      expect(lines.map(({ itemId }) => itemId)).toEqual(
        [0, 1, 2, 3, 4, 5].map((index) => `sum-${index}`),
      );
    }));
});

it('hermes process plays on demand what it had given up', () =>
  inFolder(async (folder) => {
    let isBroken = true;
    const computeReward = async ({ data }: { readonly data: number }) => {
      if (isBroken && data === 1) throw new Error('the scale is broken');
      return 1;
    };
    const options = trainingOptions(folder, { environment: sums({ computeReward }, 3) });
    const argv = [...play, '--out', 'out.jsonl', '--max-tries', '1'];
    expect((await hermes(argv, options)).stdout).toContain('SKIPPED sum-1 verifier/reward_threw');
    isBroken = false;
    await hermes([...argv, '--resume'], options);
    expect(await linesOf(folder, 'out.jsonl')).toHaveLength(2);
    await hermes([...argv, '--resume', '--retry', 'errored'], options);
    expect((await linesOf(folder, 'out.jsonl')).map(({ itemId }) => itemId).toSorted()).toEqual([
      'sum-0',
      'sum-1',
      'sum-2',
    ]);
    expect((await hermes([...argv, '--retry', 'errored'], options)).code).toBe(2);
  }));

describe('what process cannot do is one message', () => {
  const failing = (error: Error) =>
    sums({
      // biome-ignore lint/correctness/useYield: nothing can be read
      async *items() {
        throw error;
      },
    });

  it('a dataset without the column', () =>
    inFolder(async (folder) => {
      const error = new HermesError('data', 'COLUMN', 'There is no column question: a, b');
      const options = trainingOptions(folder, { environment: failing(error) });
      const ended = await hermes([...play, '--out', 'out.jsonl'], options);
      expect(ended).toMatchObject({
        code: 2,
        stderr: 'hermes: There is no column question: a, b\n',
      });
      expect(await readdir(folder)).toEqual([]);
    }));

  it('tokens of a model that has none', () =>
    inFolder(async (folder) => {
      const argv = ['process', 'sums', '--format', 'tokens', '--out', 'out.jsonl', '--limit', '1'];
      const known = await hermes([...argv, '--model', 'noop'], trainingOptions(folder));
      expect(known.code).toBe(2);
      expect(known.stderr).toContain('--format messages');
      const model = tokenModel(() => scriptedModel('1'));
      const found = await hermes(
        [...argv, '--model', 'scripted'],
        trainingOptions(folder, { model }),
      );
      expect(found.code).toBe(2);
      expect(found.stderr).toContain('gives no token ids');
      expect(await readdir(folder)).toEqual(['out.run']);
    }));

  it('groups that cannot be had, one after the other', () =>
    inFolder(async (folder) => {
      const computeReward = async () => {
        throw new Error('the scale is broken');
      };
      const argv = [...play, '--out', 'out.jsonl', '--max-failed-groups', '2', '--max-tries', '1'];
      const options = trainingOptions(folder, { environment: sums({ computeReward }, 9) });
      const ended = await hermes(argv, options);
      expect(ended.code).toBe(1);
      expect(ended.stderr).toContain('2 groups could not be had');
      expect(ended.stderr).toContain('the scale is broken');
    }));

  it('nothing that is wanted', () =>
    inFolder(async (folder) => {
      const argv = [...play, '--out', 'out.jsonl', '--limit', '2', '--only', 'failed'];
      const ended = await hermes(argv, trainingOptions(folder));
      expect(ended.code).toBe(1);
      expect(ended.stderr).toBe('hermes: no line was written: filtered (2)\n');
    }));

  it('a full disk', () =>
    inFolder(async (folder) => {
      const argv = [...play, '--out', '/dev/full', '--resume', '--run-dir', 'run', '--limit', '1'];
      const ended = await hermes([...argv, '--no-page'], trainingOptions(folder));
      expect(ended.code).toBe(1);
      expect(ended.stderr).toContain('No space left for /dev/full');
    }));

  it('a page that cannot be written: the lines are kept, and nothing is left open', () =>
    inFolder(async (folder) => {
      await mkdir(join(folder, 'out.html/in-the-way'), { recursive: true });
      const argv = [...play, '--out', 'out.jsonl', '--limit', '2'];
      const ended = await hermes(argv, trainingOptions(folder));
      expect(ended.code).toBe(1);
      expect(ended.stderr).toMatch(/^hermes: The file .*out\.html cannot be written.*--resume\n$/);
      expect(await linesOf(folder, 'out.jsonl')).toHaveLength(2);
      expect(await readdir(folder)).toEqual(['out.html', 'out.jsonl', 'out.run']);
      expect(await readdir(join(folder, 'out.run'))).not.toContain('lock');
    }));

  it('of two failures the first', () =>
    inFolder(async (folder) => {
      await mkdir(join(folder, 'out.html/in-the-way'), { recursive: true });
      const environment = sums({ computeReward: () => Promise.reject(new Error('broken')) });
      const argv = [...play, '--out', 'out.jsonl', '--limit', '1', '--max-failed-groups', '1'];
      const ended = await hermes(argv, trainingOptions(folder, { environment }));
      expect(ended.stderr).toMatch(/^hermes: 1 group could not be had.*broken/);
    }));

  it('a file of something else, and shares that do not add up', () =>
    inFolder(async (folder) => {
      await writeFile(join(folder, 'notes.txt'), 'my notes\n');
      const argv = [...play, '--out', 'notes.txt', '--resume', '--limit', '1'];
      const other = await hermes(argv, trainingOptions(folder));
      expect(other.code).toBe(2);
      expect(other.stderr).toContain('Line 1 of');
      expect(await readFile(join(folder, 'notes.txt'), 'utf8')).toBe('my notes\n');
      const split = [...play, '--limit', '1', '--split', 'train=0.9,test=0.3'];
      expect((await hermes(split, trainingOptions(folder))).code).toBe(2);
      expect((await hermes([...play, '--split', 'train'], trainingOptions(folder))).code).toBe(2);
      expect((await readdir(folder)).toSorted()).toEqual(['notes.txt']);
    }));
});
