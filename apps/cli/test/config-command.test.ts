import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EnvironmentDefinition } from '@hermes/env-core';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../src/index.ts';
import { hermes, inFolder } from './_run.ts';
import { sums } from './_training.ts';

type Value = Readonly<{ path: string; value: unknown; sources: readonly { name: string }[] }>;

/** What `hermes config show --json` says of each key: its value, and the names of its sources. */
async function shown(
  argv: readonly string[],
  options: Parameters<typeof hermes>[1] = {},
): Promise<Readonly<Record<string, readonly [unknown, ...string[]]>>> {
  const { stdout, stderr } = await hermes(['config', 'show', ...argv, '--json'], options);
  if (stdout === '') throw new Error(stderr);
  const { values } = JSON.parse(stdout) as { values: readonly Value[] };
  return Object.fromEntries(
    values.map(({ path, value, sources }) => [path, [value, ...sources.map(({ name }) => name)]]),
  );
}

const YAML = `env:
  max_agent_turns: 10
  agent_temperature: 4e-5
  wandb_name: 4.10
  extra_body: { a: 1, b: 1 }
  terminal_timeout: 1:30
openai:
  model_name: M
  api_key: sk-secret
  base_url: https://me:pw@host/v1
`;

describe('hermes config show', () => {
  it('says of each value where it comes from: flags win over the file, that over variables, those over defaults', async () => {
    await inFolder(async (folder) => {
      await writeFile(join(folder, 'run.yaml'), YAML);
      const variables = {
        TERMINAL_TIMEOUT: '7',
        TERMINAL_ENV: 'host',
        OPENAI_BASE_URL: 'http://v',
      };
      const values = await shown(
        ['gsm8k', '--config', 'run.yaml', '--max-turns', '5', '--env.extra_body.b', '2'],
        { workingDirectory: folder, environmentVariables: variables },
      );
      expect(values).toMatchObject({
        'env.max_agent_turns': [5, '--max-turns'],
        'env.agent_temperature': [0.00004, 'run.yaml:3'],
        'env.wandb_name': ['4.10', 'run.yaml:4'],
        'env.extra_body': [{ a: 1, b: 2 }, 'run.yaml:5', '--env.extra_body.b'],
        'env.terminal_timeout': [90, 'run.yaml:6'],
        'env.terminal_backend': ['host', 'TERMINAL_ENV'],
        'env.tools': [false, 'default'],
        'openai.model_name': ['M', 'run.yaml:8'],
        'openai.timeout': [1200, 'default'],
      });
    });
  });

  it('tells the defaults of an environment and of a command', async () => {
    expect(await shown(['yc_bench'])).toMatchObject({
      'env.max_agent_turns': [200, 'yc-bench'],
      'env.group_size': [1, 'yc-bench'],
    });
    expect(await shown(['yc_bench', '--for', 'serve', '--env.group_size', '8'])).toMatchObject({
      'env.group_size': [8, '--env.group_size'],
      'env.total_steps': [-1, 'hermes serve'],
    });
  });

  it('hides every secret, also those of variables', async () => {
    await inFolder(async (folder) => {
      await writeFile(join(folder, 'run.yaml'), YAML);
      const secret = ['--env.sandbox.token', 's3cret', '--env.ssh_password', 's3cret'];
      const urls = ['--env.rollout_server_url', 'http://u:s3cret@h/?token=s3cret'];
      const argv = ['config', 'show', '--config', 'run.yaml', ...secret, ...urls];
      const variables = { OPENAI_API_KEY: 's3cret', TERMINAL_SSH_PASSPHRASE: 's3cret' };
      const options = { workingDirectory: folder, environmentVariables: variables };
      for (const form of [[], ['--json'], ['--given']]) {
        const { stdout, code } = await hermes([...argv, ...form], options);
        expect(code).toBe(exitCodes.ran);
        expect(stdout).not.toMatch(/s3cret|sk-secret|me:pw/);
        expect(stdout).toContain('[redacted]');
      }
    });
  });

  it('shows what variables say of the server and of the chosen provider', async () => {
    const environmentVariables = { OPENAI_API_KEY: 'k', TERMINAL_DOCKER_IMAGE: 'debian' };
    const values = await shown(['--sandbox', 'docker'], { environmentVariables });
    expect(values).toMatchObject({
      'openai.api_key': ['[set]', 'OPENAI_API_KEY'],
      'env.docker_image': ['[set]', 'TERMINAL_DOCKER_IMAGE'],
    });
    expect(await shown([], { environmentVariables })).not.toHaveProperty(['env.docker_image']);
  });

  it('with --given shows only what somebody has set, as a table', async () => {
    const { stdout } = await hermes(['config', 'show', 'smoke', '--given', '--max-turns', '5']);
    expect(stdout.trim().split('\n')).toHaveLength(3);
    expect(stdout).toMatch(/^env\.max_agent_turns +5 +flag --max-turns$/m);
  });
});

describe('hermes config check', () => {
  it('ends with 0 and says what has no effect', async () => {
    const argv = ['config', 'check', 'smoke', '--env.group_size', '4', '--env.prompt_field', 'q'];
    const { code, stdout } = await hermes(argv);
    expect(code).toBe(exitCodes.ran);
    expect(stdout).toContain(
      'note: env.group_size has no effect here; it is for process and serve',
    );
    expect(stdout).toContain('the configuration is right for smoke: 2 keys set');
  });

  it('misses what a RunPod endpoint runs', async () => {
    const runpod = ['config', 'check', 'smoke', '--server-type', 'runpod'];
    const { code, stdout } = await hermes(runpod);
    expect(code).toBe(exitCodes.wrongUsage);
    expect(stdout).toContain('say --openai.runpod_worker vllm or sglang');
    const said = await hermes([...runpod, '--openai.runpod_worker', 'sglang']);
    expect(said.code).toBe(exitCodes.ran);
  });

  it('ends with 2 and names everything that is wrong, names of parts too', async () => {
    const wrong = ['--parser', 'nope', '--sandbox', 'nope', '--env.enabled_toolsets', 'nope'];
    const more = ['--base-url', 'nope', '--model', 'nope'];
    const { code, stdout } = await hermes(['config', 'check', ...wrong, ...more, '--json']);
    expect(code).toBe(exitCodes.wrongUsage);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      problems: [
        expect.stringContaining('Unknown toolset "nope"'),
        expect.stringContaining("unknown parser 'nope'"),
        expect.stringContaining("unknown sandbox provider 'nope'"),
        expect.stringContaining('--base-url'),
        expect.stringContaining("unknown model 'nope'"),
      ],
    });
  });

  it('leaves to an environment of somebody else which toolsets it has, but for slips', async () => {
    const options = { environments: [sums() as EnvironmentDefinition] };
    const check = (environment: string, toolset: string) =>
      hermes(['config', 'check', environment, '--env.enabled_toolsets', toolset], options);
    expect((await check('sums', 'terminal,ledger')).code).toBe(exitCodes.ran);
    expect((await check('sums', 'termnal')).stdout).toContain('Did you mean "terminal"?');
    expect((await check('gsm8k', 'ledger')).stdout).toContain('Unknown toolset "ledger"');
  });

  it('refuses for serve what serve would refuse', async () => {
    const wrong = ['--env.rollout_server_url', 'localhost:8000', '--env.group_size', '3'];
    const argv = ['config', 'check', 'smoke', ...wrong, '--for'];
    const { code, stdout } = await hermes([...argv, 'serve']);
    expect(code).toBe(exitCodes.wrongUsage);
    expect(stdout).toMatch(/wrong: The trainer's address "localhost:8000" is no http address/);
    expect((await hermes([...argv, 'process'])).code).toBe(exitCodes.ran);
    const share = ['--env.min_batch_allocation', '1.5', '--for', 'serve'];
    const shared = await hermes(['config', 'check', 'smoke', ...share]);
    expect(shared.stdout).toContain('min_batch_allocation: 1.5 is no number from 0 to 1');
  });

  it('without an environment knows the keys of all, and only those', async () => {
    const fine = await hermes(['config', 'check', '--env.tools', 'true', '--env.seeds', '[1]']);
    expect(fine.code).toBe(exitCodes.ran);
    const wrong = await hermes(['config', 'check', '--env.seads', '[1]']);
    expect(wrong.stdout).toMatch(/wrong: env\.seads: unknown key\. Did you mean seeds\?/);
  });

  it.each([
    ['no YAML', 'env:\n  a: [1\n', /run\.yaml is wrong: line 3, column 1: .*bracket/],
    ['a folder', null, /is wrong: it is a folder; name a file in it/],
    ['no text', Buffer.from([0xc3, 0x28]), /it is no text in UTF-8; save it as UTF-8/],
  ])('says what to do about a file that is %s', async (_what, content, message) => {
    await inFolder(async (folder) => {
      if (content !== null) await writeFile(join(folder, 'run.yaml'), content);
      const config = content === null ? '.' : 'run.yaml';
      const options = { workingDirectory: folder };
      const { code, stdout } = await hermes(['config', 'check', '--config', config], options);
      expect(code).toBe(exitCodes.wrongUsage);
      expect(stdout).toMatch(message);
    });
  });

  it('reads a file in UTF-16, as shells of Windows write it', async () => {
    await inFolder(async (folder) => {
      const text = Buffer.from('\ufeffenv:\r\n  max_agent_turns: 3\r\n', 'utf16le');
      await writeFile(join(folder, 'run.yaml'), text);
      const values = await shown(['--config', 'run.yaml'], { workingDirectory: folder });
      expect(values['env.max_agent_turns']).toEqual([3, 'run.yaml:2']);
    });
  });
});

describe('hermes config explain', () => {
  it.each(['env.max_token_length', 'max_token_length', 'max-tokens'])(
    '%s: meaning, type, default, flag, variable and readers',
    async (key) => {
      const { stdout } = await hermes(['config', 'explain', key]);
      expect(stdout).toMatch(/^env\.max_token_length$/m);
      expect(stdout).toMatch(/meaning +tokens of one answer/);
      expect(stdout).toMatch(/type +a whole number of 1 or more/);
      expect(stdout).toMatch(/default +2048/);
      expect(stdout).toMatch(/flag +--max-tokens, --env\.max_token_length VALUE/);
      expect(stdout).toMatch(/read by +evaluate, process, serve/);
    },
  );

  it.each([
    [
      'eval_concurrency',
      { path: 'env.concurrency', aliases: ['eval_concurrency', 'max_concurrent_tasks'] },
    ],
    ['terminal_timeout', { variable: 'TERMINAL_TIMEOUT' }],
    ['max_tokens', { path: 'env.max_token_length' }],
    ['openai.api_key', { variable: 'OPENAI_API_KEY' }],
    ['docker_image', { variable: 'TERMINAL_DOCKER_IMAGE', readers: ['provider docker'] }],
    ['group_size', { readers: ['process', 'serve'], default: 4 }],
    ['presets', { readers: ['environment yc-bench'], type: 'a list of texts' }],
    ['memory_mib', { readers: ['environment humaneval'], meaning: 'MiB of memory of a solution' }],
    ['verifier_shim', { readers: ['environment smoke', 'environment tasks'] }],
    ['dataset', { flag: '--dataset', readers: { length: 3 } }],
  ])('%s as JSON', async (key, expected) => {
    const { stdout } = await hermes(['config', 'explain', key, '--json']);
    expect(JSON.parse(stdout)).toMatchObject([expected]);
  });

  it('of one environment, by any of its names', async () => {
    const argv = ['config', 'explain', 'seeds', '--environment', 'yc_bench', '--json'];
    const { stdout } = await hermes(argv);
    expect(JSON.parse(stdout)).toMatchObject([{ type: 'a list of whole numbers' }]);
    const other = await hermes(['config', 'explain', 'seeds', '--environment', 'gsm8k']);
    expect(other.stderr).toContain("unknown key 'seeds'");
  });

  it('of a general key that only some environments read, by those', async () => {
    const argv = ['config', 'explain', 'dataset_name', '--json'];
    const all = JSON.parse((await hermes(argv)).stdout) as { readers: string[] }[];
    expect(all.map(({ readers }) => readers)).toEqual([
      ['environment gsm8k', 'environment humaneval', 'environment terminal-test'],
      expect.arrayContaining(['environment terminal-bench-2', 'environment swe']),
    ]);
    const none = await hermes([...argv, '--environment', 'smoke']);
    expect(JSON.parse(none.stdout)).toMatchObject([{ readers: [] }]);
  });

  it('says what every key of an environment of ours means', async () => {
    for (const id of ['smoke', 'tasks', 'gsm8k', 'humaneval', 'terminal-test']) {
      const { stdout } = await hermes(['config', 'explain', '--environment', id, '--json']);
      const keys = JSON.parse(stdout) as { meaning: string }[];
      expect(keys.filter(({ meaning }) => meaning === `a key of the environment ${id}`)).toEqual(
        [],
      );
    }
  });

  it('lists all keys, and refuses one that is not known with the nearest', async () => {
    const all = await hermes(['config', 'explain']);
    expect(all.stdout).toMatch(/^openai\.base_url +a text/m);
    const unknown = await hermes(['config', 'explain', 'max_agnt_turns']);
    expect(unknown.code).toBe(exitCodes.wrongUsage);
    expect(unknown.stderr).toContain('Did you mean max_agent_turns?');
  });
});
