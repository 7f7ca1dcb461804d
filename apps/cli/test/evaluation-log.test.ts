import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeSamples } from '../src/evaluation-log/write-samples.ts';
import { exitCodes } from '../src/index.ts';
import { hermes, inFolder } from './_run.ts';

const run = ['evaluate', 'gsm8k', '--dataset', 'builtin', '--limit', '2'];

it('an evaluation also leaves its results under the names of older ones', async () => {
  await inFolder(async (folder) => {
    const options = { workingDirectory: folder };
    const secret = ['--openai.api_key', 'sk-secret'];
    const argv = [...run, '--model', 'oracle', '--env.data_dir_to_save_evals', 'evals/maths'];
    const { code, stderr } = await hermes([...argv, ...secret], options);
    expect({ code, stderr }).toEqual({ code: exitCodes.ran, stderr: '' });

    const read = (name: string): Promise<string> =>
      readFile(join(folder, 'evals/maths', name), 'utf8');
    const metrics = JSON.parse(await read('metrics.json'));
    expect(metrics.config_general).toEqual({
      model_name: 'oracle',
      total_evaluation_time_seconds: expect.stringMatching(/^\d+(\.\d+)?$/),
      generation_parameters: {
        max_new_tokens: 2048,
        temperature: 1,
        max_agent_turns: 30,
        terminal_backend: 'local',
      },
    });
    expect(metrics.results.all).toMatchObject({ 'eval/pass_rate': 1 });
    expect(metrics.results['atropos|gsm8k_eval|0']).toEqual(metrics.results.all);
    const samples = (await read('samples.jsonl'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(samples).toHaveLength(2);
    expect(samples[0]).toMatchObject({ passed: true, reward: 1, error: null, attempt: 0 });
    expect(samples[0].messages.length).toBeGreaterThan(1);
    const config = await read('evaluate_config.yaml');
    expect(JSON.parse(config)).toMatchObject({ slurm: false, env: { max_agent_turns: 30 } });
    expect(config).not.toContain('sk-secret');
  });
});

it('the results of an earlier run are moved into a folder beside them', async () => {
  await inFolder(async (folder) => {
    const argv = [...run, '--env.data_dir_to_save_evals', 'evals'];
    for (const model of ['oracle', 'noop', 'noop'])
      await hermes([...argv, '--model', model], { workingDirectory: folder });
    const names = await readdir(join(folder, 'evals'));
    const folders = names.filter((name) => /^\d{4}-\d\d-\d\dT/.test(name));
    expect(folders).toHaveLength(2);
    expect(names).toHaveLength(5);
    const models = await Promise.all(
      folders.map(async (name) => {
        const text = await readFile(join(folder, 'evals', name, 'metrics.json'), 'utf8');
        return JSON.parse(text).config_general.model_name as string;
      }),
    );
    expect(models.sort()).toEqual(['noop', 'oracle']);
  });
});

it('a folder that cannot be made ends the run before it starts', async () => {
  await inFolder(async (folder) => {
    await writeFile(join(folder, 'file'), '');
    const argv = [...run, '--model', 'noop', '--env.data_dir_to_save_evals', 'file/evals'];
    const { code, stderr, stdout } = await hermes(argv, { workingDirectory: folder });
    expect(code).toBe(exitCodes.wrongUsage);
    expect(stderr).toMatch(/env\.data_dir_to_save_evals: .* cannot be made/);
    expect(stdout).toBe('');
    expect(await readdir(folder)).toEqual(['file']);
  });
});

it('of a trial that ran again the last record is the sample', async () => {
  await inFolder(async (folder) => {
    const record = (trialKey: string, reward: number): string =>
      JSON.stringify({
        trialKey,
        identity: { itemId: trialKey, attempt: 0 },
        tags: { category: 'sums' },
        agent: { messages: [], turnsUsed: 1, stopReason: 'natural' },
        status: 'completed',
        reward: { reward, resolved: reward === 1 },
      });
    const lines = [record('a', 0), record('b', 1), record('a', 1)];
    await writeFile(join(folder, 'records.jsonl'), `${lines.join('\n')}\n`);
    await writeSamples(join(folder, 'records.jsonl'), join(folder, 'samples.jsonl'));
    const text = await readFile(join(folder, 'samples.jsonl'), 'utf8');
    const samples = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(samples.map(({ task_name: name, reward }) => [name, reward])).toEqual([
      ['b', 1],
      ['a', 1],
    ]);
  });
});
