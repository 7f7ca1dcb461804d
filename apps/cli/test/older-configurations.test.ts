import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ENVIRONMENT_ALIASES } from '../src/environments/environment-names.ts';
import { findOrAnnounced } from '../src/environments/find-environment.ts';
import { exitCodes } from '../src/index.ts';
import { hermes, inFolder, summaryOf } from './_run.ts';

const file = (name: string): string =>
  fileURLToPath(new URL(`fixtures/older-configurations/${name}.yaml`, import.meta.url));

describe('a file of older configurations is taken as it is', () => {
  it.each([
    ['terminalbench_2', 'terminalbench_2-default', 'terminal-bench-2'],
    ['tblite_env', 'tblite-default', 'tblite'],
    ['environments/benchmarks/tblite/tblite_env.py', 'tblite-local', 'tblite'],
    ['tblite', 'tblite-local_vllm', 'tblite'],
    ['yc_bench', 'yc_bench-default', 'yc-bench'],
    ['hermes_swe_env', 'hermes_swe-default', 'swe'],
    ['terminal_test_env', 'terminal_test-default', 'terminal-test'],
  ])('%s with %s', async (environment, name, id) => {
    for (const command of ['evaluate', 'process', 'serve']) {
      const argv = ['config', 'check', environment, '--config', file(name), '--for', command];
      const { code, stdout } = await hermes([...argv, '--json']);
      expect(JSON.parse(stdout)).toMatchObject({ ok: true, problems: [], environment: id });
      expect(code).toBe(exitCodes.ran);
    }
  });

  it('with the sections of others reported as not ours', async () => {
    const { stdout } = await hermes(['config', 'check', '--config', file('hermes_swe-default')]);
    expect(stdout).toContain('note: tinker has no effect here: it is for the trainer tinker');
    expect(stdout).toContain('note: profiles has no effect here: sandbox providers take');
  });

  it('with its values in force', async () => {
    const { stdout } = await hermes([
      ...['config', 'show', 'yc_bench', '--config', file('yc_bench-default'), '--json'],
      ...['--env.presets', '["fast_test"]', '--env.seeds', '[1]', '--openai.model_name', 'X'],
    ]);
    const { values } = JSON.parse(stdout) as { values: { path: string; value: unknown }[] };
    const shown = (path: string): unknown => values.find((one) => one.path === path)?.value;
    expect(shown('env.presets')).toEqual(['fast_test']);
    expect(shown('env.agent_temperature')).toBe(0);
    expect(shown('env.start_date')).toBe('01/01/2025');
    expect(shown('openai.model_name')).toBe('X');
    expect(shown('openai.base_url')).toBe('https://openrouter.ai/api/v1');
  });
});

it('the data set of an older configuration is the one that is played', async () => {
  await inFolder(async (folder) => {
    const row = { prompt: 'Write a', verify_path: '~/a.txt', expected_content: 'a' };
    const place = join(folder, 'mine.jsonl');
    await writeFile(place, `${JSON.stringify(row)}\n`);
    await writeFile(join(folder, 'run.yaml'), `env:\n  dataset_name: ${place}\n`);
    const argv = ['evaluate', 'terminal_test_env', '--config', join(folder, 'run.yaml')];
    const more = ['--model', 'oracle', '--run-dir', join(folder, 'run'), '--json'];
    const ended = await hermes([...argv, ...more]);
    expect(summaryOf(ended)).toMatchObject({ total: 1, passed: 1 });
    expect(ended.stderr).not.toContain('no effect');
  });
});

describe('an environment whose package is missing', () => {
  it.each(['evaluate', 'process', 'serve'])(
    'ends %s with 2 and the name of it',
    async (command) => {
      const config = ['--config', file('tblite-local')];
      const ended = await hermes([command, 'tblite_env', ...config, '--env.task_filter', 'a,b']);
      expect(ended).toMatchObject({ code: exitCodes.wrongUsage, stdout: '' });
      expect(ended.stderr).toMatch(/tblite needs the package @hermes\/benchmarks.*npm install/);
    },
  );

  it('has its own keys checked all the same', async () => {
    const wrong = ['--env.task_timeout', 'soon', '--env.tesk_filter', 'a', '--env.seeds', '[1]'];
    const { code, stdout } = await hermes(['config', 'check', 'tblite', ...wrong, '--json']);
    expect(code).toBe(exitCodes.wrongUsage);
    expect(JSON.parse(stdout).problems).toEqual([
      expect.stringMatching(/^env\.tesk_filter: unknown key\. Did you mean task_filter\?/),
      expect.stringMatching(/^env\.seeds: unknown key/),
      'env.task_timeout: a number is expected (found "soon")',
    ]);
  });

  it('is taken from its package where that is installed', async () => {
    await inFolder(async (folder) => {
      const place = join(folder, 'node_modules/@hermes/benchmarks');
      await mkdir(place, { recursive: true });
      await writeFile(join(place, 'package.json'), '{"type":"module","exports":"./index.js"}');
      await writeFile(
        join(place, 'index.js'),
        "export const tblite = { id: 'tblite', version: '1', config: { shape: { mine: 1 }, '~standard': { validate: (value) => ({ value }) } }, open() {} };",
      );
      const options = { workingDirectory: folder };
      const argv = ['config', 'show', 'tblite_env', '--env.mine', '1', '--given', '--json'];
      const { stdout } = await hermes(argv, options);
      expect(JSON.parse(stdout).values).toMatchObject([{ path: 'env.mine', value: '1' }]);
      const unknown = await hermes(['evaluate', 'yc_bench', '--model', 'noop'], options);
      expect(unknown.stderr).toContain('or too old');
    });
  });
});

it('every older name of an environment means one that there is', async () => {
  for (const [older, id] of Object.entries(ENVIRONMENT_ALIASES)) {
    const source = { environments: [], workingDirectory: '/' };
    const { definition } = await findOrAnnounced(older, source);
    expect(definition.id, older).toBe(id);
  }
});

it('without --model the model of the configuration plays', async () => {
  const endpoint = ['--openai.health_check', '--openai.base_url', 'http://127.0.0.1:9'];
  const argv = ['evaluate', 'terminal_test_env', '--config', file('terminal_test-default')];
  const ended = await hermes([...argv, '--sandbox', 'host', ...endpoint]);
  expect(ended.code).toBe(exitCodes.wrongUsage);
  expect(ended.stderr).toMatch(/cannot reach the endpoint http:\/\/127\.0\.0\.1:9/);
});
