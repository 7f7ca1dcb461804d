import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { explainOwnKeys, loadRunConfig } from '../src/index.ts';
import { temporaryFolder } from './_support/temporary-folder.ts';

async function file(text: string): Promise<string> {
  const path = join(await temporaryFolder(), 'config.yaml');
  await writeFile(path, text);
  return path;
}

async function messageOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'no error',
    (error: Error & { code: string }) => `${error.code}: ${error.message}`,
  );
}

const override = (section: string, key: string, value: string) => ({ section, key, value });

it('has the defaults of the original', async () => {
  const { env, servers, options } = await loadRunConfig();
  expect(env).toMatchObject({
    maxAgentTurns: 30,
    agentTemperature: 1,
    terminalBackend: 'local',
    terminalTimeoutMs: 120_000,
    terminalIdleMs: 3_600_000,
    toolPoolSize: 128,
    resultChars: 100_000,
  });
  expect(servers).toMatchObject([{ serverType: 'openai', timeoutMs: 1_200_000 }]);
  expect(options).toMatchObject({
    sampling: { temperature: 1, maxTokens: 2048 },
    limits: { agent: { maxTurns: 30 } },
  });
});

it('lets flags win over the file, and the file over defaults; maps are merged', async () => {
  const { env } = await loadRunConfig({
    layers: [
      {
        env: { max_agent_turns: 60, agent_temperature: 0.6, extra_body: { a: 1, b: 1 } },
        source: { kind: 'environment', name: 'sums' },
      },
    ],
    file: await file('env:\n  agent_temperature: 0.8\n  extra_body: { b: 2, c: 2 }\n'),
    overrides: [override('env', 'extra_body.c', '3'), override('env', 'terminal_timeout', '60')],
  });
  expect(env).toMatchObject({
    maxAgentTurns: 60,
    agentTemperature: 0.8,
    terminalTimeoutMs: 60_000,
  });
  expect(env.extraBody).toMatchObject({ a: 1, b: 2 });
});

it('reads texts by the type of the field, as YAML 1.1 writes them', async () => {
  const { env, servers } = await loadRunConfig({
    file: await file(
      'env:\n  tool_pool_size: "1_000"\n  system_prompt: None\n  dataset_split: 2024\n' +
        '  enabled_toolsets: terminal, file\n  use_wandb: "off"\n' +
        'openai:\n  model_name: 405\n  server_type: VLLM\n',
    ),
    overrides: [override('env', 'tool_result_overrides', '{"terminal": 50}')],
  });
  expect(env).toMatchObject({
    toolPoolSize: 1_000,
    systemPrompt: null,
    datasetSplit: '2024',
    enabledToolsets: ['terminal', 'file'],
    toolResultOverrides: { terminal: 50 },
  });
  expect(servers).toMatchObject([{ modelName: '405', serverType: 'vllm' }]);
});

it('takes a list of servers', async () => {
  const path = await file('openai:\n  - base_url: http://a\n  - base_url: http://b\n');
  const { servers } = await loadRunConfig({ file: path });
  expect(servers.map((server) => server.baseUrl)).toEqual(['http://a', 'http://b']);
  const overrides = [override('openai', 'base_url', 'http://c')];
  expect(await messageOf(loadRunConfig({ file: path, overrides }))).toContain('2 servers');
});

it('makes sampling, budgets and tries of the keys that are given, and leaves out the others', async () => {
  const { options } = await loadRunConfig({
    file: await file(
      'env:\n  agent_temperature: null\n  top_p: 0.9\n  top_k: -1\n  sampling_seed: 7\n  stop: "a, b"\n' +
        '  max_total_tokens: 1_000\n  max_cost: 0.5\n  agent_timeout: 1.5\n  rollout_timeout: 60\n  max_tries: 1\n',
    ),
  });
  expect(options).toMatchObject({
    sampling: { maxTokens: 2048, topP: 0.9, topK: -1, seed: 7, stop: ['a, b'] },
    limits: {
      agent: { maxTurns: 30, maxTotalTokens: 1000, maxCostUsd: 0.5, deadlineMs: 1500 },
      rolloutMs: 60_000,
    },
    retry: { maxTries: 1 },
  });
  expect(Object.keys(options.sampling)).not.toContain('temperature');
});

it('reads how a server is paid and spoken to; headers and users of a URL are shown to nobody', async () => {
  const { servers, dump } = await loadRunConfig({
    file: await file(
      'openai:\n  base_url: http://me:pass@a/v1\n  api_key_env: MY_KEY\n  streaming: no\n  reasoning_field: none\n' +
        '  price: { input: 1, output: "2.5", cached_input: 0.1 }\n  headers: { cookie: hush }\n',
    ),
  });
  expect(servers).toMatchObject([
    {
      apiKeyVariable: 'MY_KEY',
      streaming: false,
      reasoningField: null,
      price: { input: 1, output: 2.5, cached: 0.1, cacheWrite: null },
      headers: { cookie: 'hush' },
    },
  ]);
  expect(JSON.stringify(dump)).not.toMatch(/hush|me:pass/);
});

it('makes a server of each base URL, and lets an override hold for each of several', async () => {
  const path = await file('openai:\n  model_name: m\n  timeout: 9\n');
  const urls = { section: 'openai', key: 'base_url', value: ['http://a', 'http://b'] };
  const each = { section: 'openai', key: 'streaming', value: false, each: true };
  const { servers } = await loadRunConfig({ file: path, overrides: [urls, each] });
  expect(servers).toMatchObject([
    { baseUrl: 'http://a', modelName: 'm', timeoutMs: 9000, streaming: false },
    { baseUrl: 'http://b', modelName: 'm', timeoutMs: 9000, streaming: false },
  ]);
});

it.each([
  [
    'a price without output',
    'openai:\n  price: { input: 1 }\n',
    'is no price with input and output',
  ],
  [
    'an unknown part of a price',
    'openai:\n  price: { input: 1, output: 1, out: 1 }\n',
    'is no price',
  ],
  [
    'a share above 1',
    'env:\n  top_p: 1.1\n',
    'env.top_p: 1.1 is no number from 0 to 1; for example top_p: 0.95',
  ],
  ['headers that are no texts', 'openai:\n  headers: [a]\n', 'is no map of names to texts'],
])('refuses %s', async (_what, text, message) => {
  expect(await messageOf(loadRunConfig({ file: await file(text) }))).toContain(message);
});

it.each([
  [
    'an unknown key',
    'env:\n  max_agent_turn: 3\n',
    'env.max_agent_turn: unknown key. Did you mean max_agent_turns? hermes config explain lists all',
  ],
  [
    'an unknown server key',
    'openai:\n  base_ulr: x\n',
    'openai.base_ulr: unknown key. Did you mean base_url?',
  ],
  [
    'an unknown key of the second server',
    'openai:\n  - {}\n  - keys: x\n',
    'openai.1.keys: unknown key',
  ],
  ['an unknown section', 'envs: {}\n', 'envs: unknown key. Did you mean env?'],
  [
    'a bad value',
    'env:\n  max_agent_turns: many\n',
    'env.max_agent_turns: "many" is no whole number of 1 or more; for example max_agent_turns: 30',
  ],
  [
    'a value out of range',
    'env:\n  max_agent_turns: 0\n',
    'env.max_agent_turns: 0 is no whole number of 1 or more',
  ],
  [
    'a word that is none of the known',
    'openai:\n  server_type: gguf\n',
    'openai.server_type: "gguf" is none of openai, auto, vllm, vllm_inference, atropos_vllm, sglang, trl, llama_cpp, runpod; for example server_type: openai',
  ],
  [
    'a word that is nearly one of the known',
    'openai:\n  server_type: vlm\n',
    'llama_cpp, runpod; did you mean vllm?',
  ],
  [
    'a list in place of a text',
    'env:\n  system_prompt: [a]\n',
    'env.system_prompt: ["a"] is no text; for example system_prompt: Be brief.',
  ],
  [
    'a number in place of a list',
    'env:\n  enabled_toolsets: 3\n',
    'env.enabled_toolsets: 3 is no list of names; for example enabled_toolsets: [terminal, file]',
  ],
  [
    'a text in place of a map',
    'env:\n  extra_body: fast\n',
    'env.extra_body: "fast" is no map; for example extra_body: { top_k: 20 }',
  ],
  ['no value', 'env:\n  max_agent_turns:\n', 'env.max_agent_turns: null is no whole number'],
  [
    'a bad value inside a map',
    'env:\n  tool_result_overrides: { terminal: lots }\n',
    'env.tool_result_overrides: {"terminal":"lots"} is no map of names to whole numbers; for example tool_result_overrides: { terminal: 5000 }',
  ],
  ['a YAML mistake', 'env:\n  a: [1\n', 'line 3'],
  ['no map', '- 1\n', 'a map with the sections env and openai is expected'],
  [
    'two ways to choose tools',
    'env:\n  enabled_toolsets: [file]\n  distribution: safe\n',
    'env.distribution: cannot stand beside env.enabled_toolsets',
  ],
])('names the place of %s', async (_name, text, expected) => {
  const message = await messageOf(loadRunConfig({ file: await file(text) }));
  expect(message).toContain('CONFIG: The configuration');
  expect(message).toContain('config.yaml');
  expect(message).toContain(expected);
});

it('names everything that is wrong at once', async () => {
  const path = await file('env:\n  max_agent_turns: 0\n  colour: red\n');
  const message = await messageOf(loadRunConfig({ file: path }));
  expect(message).toContain('env.max_agent_turns');
  expect(message).toContain('env.colour');
});

it('says that a file does not exist', async () => {
  expect(await messageOf(loadRunConfig({ file: '/nowhere.yaml' }))).toBe(
    'CONFIG: The configuration /nowhere.yaml is wrong: the file does not exist',
  );
});

it('accepts keys of the original that have no effect here, and says so', async () => {
  const { notices } = await loadRunConfig({
    file: await file('env:\n  group_size: 8\n  use_wandb: false\nslurm: true\n'),
  });
  expect(notices).toEqual([
    'slurm has no effect here: servers stand in section openai',
    'env.group_size has no effect here; it is for process and serve',
  ]);
});

const schema = z.strictObject({
  rewardKey: z.string().optional(),
  timeoutMultiplier: z.number().positive().default(1),
  path: z.string(),
});

it("reads the environment's own keys beside the general ones", async () => {
  const { environment } = await loadRunConfig({
    environment: schema,
    file: await file('env:\n  reward_key: score\n  max_agent_turns: 2\n'),
    overrides: [override('env', 'path', './5'), override('env', 'timeout_multiplier', '2.5')],
  });
  expect(environment).toEqual({ rewardKey: 'score', timeoutMultiplier: 2.5, path: './5' });
});

it('reads a number of Python where an own key is one', async () => {
  const path = await file('env:\n  path: 5e-1\n  timeout_multiplier: 5e-1\n');
  const { environment } = await loadRunConfig({ environment: schema, file: path });
  expect(environment).toEqual({ timeoutMultiplier: 0.5, path: '5e-1' });
});

it("names what is wrong with the environment's own keys", async () => {
  const overrides = [
    override('env', 'reward_keys', 'x'),
    override('env', 'timeout_multiplier', '-1'),
  ];
  const message = await messageOf(loadRunConfig({ environment: schema, overrides }));
  expect(message).toContain('env.reward_keys: unknown key. Did you mean reward_key?');
  expect(message).toContain(
    'env.timeout_multiplier: Too small: expected number to be >0 (found -1)',
  );
  expect(message).toContain('env.path: a value is needed');
});

it('never shows a secret in what it says of a wrong value', async () => {
  const overrides = [{ section: 'openai', key: 'api_key', value: ['sk-secret'] }];
  expect(await messageOf(loadRunConfig({ overrides }))).not.toContain('sk-secret');
});

it('shortens a long value that is wrong', async () => {
  const overrides = [override('env', 'max_agent_turns', 'x'.repeat(500))];
  expect((await messageOf(loadRunConfig({ overrides }))).length).toBeLessThan(250);
});

it("reads the sandbox provider's own settings as they are, those from flags as YAML", async () => {
  const { env, dump } = await loadRunConfig({
    file: await file(
      'env:\n  sandbox: { rootDir: /a, apiToken: abc, deep: { x: "1", passphrase: p } }\n',
    ),
    overrides: [
      override('env', 'sandbox.rootDir', '/b'),
      override('env', 'sandbox.systemPaths', '[/opt/tools]'),
      override('env', 'sandbox.slots', '4'),
      override('env', 'extra_body.top_k', '20'),
    ],
  });
  expect(env.sandboxSettings).toEqual({
    rootDir: '/b',
    systemPaths: ['/opt/tools'],
    slots: 4,
    apiToken: 'abc',
    deep: { x: '1', passphrase: 'p' },
  });
  expect(env.extraBody).toEqual({ top_k: 20 });
  expect(dump).toMatchObject({
    env: { sandbox: { rootDir: '/b', apiToken: '[redacted]', deep: { passphrase: '[redacted]' } } },
  });
  const wrong = loadRunConfig({ overrides: [override('env', 'sandbox', 'host')] });
  expect(await messageOf(wrong)).toContain('env.sandbox: "host" is no map; for example sandbox: {');
});

it('shows everything that holds, without secrets', async () => {
  const { dump } = await loadRunConfig({
    file: await file(
      'env:\n  extra_body: { headers: { Authorization: Bearer abc, X-Api-Key: abc }, n: [{ token: abc }] }\n' +
        'openai:\n  api_key: abc\n',
    ),
  });
  expect(JSON.stringify(dump)).not.toContain('abc');
  expect(dump).toMatchObject({
    env: { max_token_length: 2048 },
    openai: [{ api_key: '[redacted]' }],
  });
});

it('reads limits of sandboxes in the units of the original, and the longest foreground command', async () => {
  const { env, options } = await loadRunConfig({
    overrides: [
      override('env', 'container_cpu', '0.5'),
      override('env', 'container_memory', '512'),
      override('env', 'terminal_max_foreground_timeout', '90'),
    ],
  });
  expect(env.containerLimits).toEqual({ cpus: 0.5, memoryBytes: 512 * 1024 * 1024 });
  expect(options.sandboxDefaults?.resources).toEqual(env.containerLimits);
  expect(options.toolLimits?.maxForegroundMs).toBe(90_000);
});

it('hands on the keys that the caller reads itself, and names them among the valid ones', async () => {
  const furtherKeys = ['docker_image', 'ssh_key'];
  const { further, dump } = await loadRunConfig({
    furtherKeys,
    file: await file('env:\n  docker_image: debian:12\n'),
    overrides: [override('env', 'ssh_key', '/keys/one')],
  });
  expect(further).toEqual({ docker_image: 'debian:12', ssh_key: '/keys/one' });
  expect(dump.env).toMatchObject({ docker_image: 'debian:12', ssh_key: '[redacted]' });
  const overrides = [override('env', 'docker_imag', 'x')];
  expect(await messageOf(loadRunConfig({ furtherKeys, overrides }))).toMatch(
    /docker_imag: unknown key. Did you mean docker_image\? hermes config explain lists all \d+/,
  );
  expect(await messageOf(loadRunConfig({ overrides }))).not.toContain('docker_image');
});

it('tells of each value the places that it comes from, the weakest first', async () => {
  const { values } = await loadRunConfig({
    layers: [
      { env: { max_agent_turns: 60 }, source: { kind: 'environment', name: 'sums' } },
      { env: { extra_body: { a: 1 } }, source: { kind: 'variable', name: 'BODY' } },
    ],
    file: await file('env:\n  extra_body: { b: 2 }\nopenai:\n  timeout: 5\n'),
    overrides: [
      { ...override('openai', 'model_name', 'm'), flag: '--model' },
      override('env', 'path', './5'),
    ],
    environment: schema,
  });
  const sourcesOf = (wanted: string): readonly string[] =>
    values
      .filter(({ path }) => path === wanted)
      .flatMap(({ sources }) => sources.map(({ kind, name }) => `${kind} ${name}`));
  expect(sourcesOf('env.max_agent_turns')).toEqual(['environment sums']);
  expect(sourcesOf('env.extra_body')).toEqual(['variable BODY', 'file config.yaml:2']);
  expect(sourcesOf('env.path')).toEqual(['flag --env.path']);
  expect(sourcesOf('env.timeout_multiplier')).toEqual(['default default']);
  expect(sourcesOf('openai.timeout')).toEqual(['file config.yaml:4']);
  expect(sourcesOf('openai.model_name')).toEqual(['flag --model']);
});

it('takes a word of the file as it is written where a text is wanted, and dates as text', async () => {
  const { env, servers } = await loadRunConfig({
    file: await file(
      'env:\n  dataset_split: 007\n  system_prompt: 2025-01-01\n  stop: no\nopenai:\n  model_name: 4.10\n',
    ),
  });
  expect(env).toMatchObject({
    datasetSplit: '007',
    systemPrompt: '2025-01-01',
    stop: ['no'],
  });
  expect(servers).toMatchObject([{ modelName: '4.10' }]);
});

it('reads numbers and truth values in texts as Python does', async () => {
  const given = (key: string, value: string) => override('env', key, value);
  const { env, training } = await loadRunConfig({
    overrides: [
      given('agent_temperature', '4e-5'),
      given('terminal_timeout', '1:30'),
      given('max_agent_turns', '010'),
      given('require_sandbox', 'N'),
      given('include_messages', '1'),
      given('enabled_toolsets', '["terminal", "file"]'),
    ],
  });
  expect(env).toMatchObject({
    agentTemperature: 0.00004,
    terminalTimeoutMs: 90_000,
    maxAgentTurns: 10,
    requireSandbox: false,
    enabledToolsets: ['terminal', 'file'],
  });
  expect(training.includeMessages).toBe(true);
});

it('reads older names of a key, the strongest of one place, and says so', async () => {
  const path = await file('env:\n  eval_concurrency: 2\n  max_concurrent_tasks: 8\n');
  const { env, notices } = await loadRunConfig({ file: path });
  expect(env.concurrency).toBe(8);
  expect(notices).toContain('env.eval_concurrency is read as env.concurrency');
  const overrides = [override('env', 'eval_concurrency', '3')];
  expect((await loadRunConfig({ file: path, overrides })).env.concurrency).toBe(3);
});

it('gives a general key to an environment whose schema has it too', async () => {
  const overrides = ['dataset_name', 'prompt_field'].map((key) => override('env', key, 'o/n'));
  const { environment, env, notices } = await loadRunConfig({
    environment: z.strictObject({ datasetName: z.string() }),
    overrides,
  });
  expect(environment).toEqual({ datasetName: 'o/n' });
  expect(env.datasetName).toBe('o/n');
  const unset = await loadRunConfig({
    environment: z.strictObject({ datasetSplit: z.string().optional() }),
  });
  expect(unset.dump.env).not.toHaveProperty('dataset_split');
  expect(notices).toEqual(['env.prompt_field has no effect here']);
});

it('explains the keys of an environment as far as its schema does', () => {
  expect(
    explainOwnKeys(
      z.strictObject({
        rewardKey: z.string().optional().describe('which reward counts'),
        tools: z.boolean().default(false),
        limit: z.int().nullish(),
      }),
    ),
  ).toEqual([
    { key: 'reward_key', type: 'a text', default: null, meaning: 'which reward counts' },
    { key: 'tools', type: 'true or false', default: false, meaning: null },
    { key: 'limit', type: 'a whole number, or null', default: null, meaning: null },
  ]);
});
