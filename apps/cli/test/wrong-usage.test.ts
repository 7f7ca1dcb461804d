import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../src/index.ts';
import { hermes, inFolder } from './_run.ts';

const ENVIRONMENT_FILE =
  "export const upper = { id: 'u', version: '1', config: {}, open() {} }; export const other = 1;";

/** Each row: the arguments, files to write first, and what the one message must say. */
const cases: readonly {
  readonly says: string;
  readonly argv: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly message: RegExp;
}[] = [
  { says: 'no model', argv: ['evaluate', 'smoke'], message: /--model is needed.*oracle.*noop/s },
  {
    says: 'an unknown model',
    argv: ['evaluate', 'smoke', '--model', 'orcale'],
    message: /unknown model 'orcale'.*oracle/,
  },
  {
    says: 'an unknown environment',
    argv: ['evaluate', 'smke', '--model', 'noop'],
    message: /Did you mean smoke\?.*tasks/,
  },
  {
    says: 'an unknown sandbox',
    argv: ['evaluate', 'smoke', '--model', 'noop', '--sandbox', 'bubblewarp'],
    message: /Did you mean bubblewrap\?/,
  },
  {
    says: 'a sandbox that is not there, without advice to install a word of the user',
    argv: ['evaluate', 'smoke', '--model', 'noop', '--sandbox', 'kubernetes'],
    message:
      /'kubernetes'\. There is: bubblewrap, docker, host, local, slot-pool, ssh; or name an installed package that exports createSandboxProvider, or a path that starts with \.\/\n/,
  },
  {
    says: 'an environment file without ./',
    argv: ['evaluate', 'envx/environment.js', '--model', 'noop'],
    files: { 'envx/environment.js': 'export const x = 1;' },
    message: /for it write \.\/envx\/environment\.js/,
  },
  {
    says: 'an export that is not there',
    argv: ['evaluate', './e.js#nope', '--model', 'noop'],
    files: { 'e.js': ENVIRONMENT_FILE },
    message: /\.\/e\.js: has no export 'nope'; there is: upper\n/,
  },
  {
    says: 'an export that is something else',
    argv: ['evaluate', './e.js#other', '--model', 'noop'],
    files: { 'e.js': ENVIRONMENT_FILE },
    message: /\.\/e\.js: 'other' is no environment; there is: upper\n/,
  },
  {
    says: 'a sandbox path that is not there',
    argv: ['evaluate', 'smoke', '--model', 'noop', '--sandbox', './nowhere'],
    message: /no such file or folder/,
  },
  { says: 'an unknown flag', argv: ['evaluate', 'smoke', '--modle', 'noop'], message: /--model/ },
  { says: 'an unknown command', argv: ['evalute'], message: /evaluate/ },
  {
    says: 'a count that is none',
    argv: ['evaluate', 'smoke', '--model', 'noop', '--attempts', '0'],
    message: /whole number/,
  },
  ...['1e2', '0x10', '1.0', '+1', ' 1', '', '9007199254740993'].map((count) => ({
    says: `the count ${JSON.stringify(count)}`,
    argv: ['evaluate', 'smoke', '--model', 'noop', '--attempts', count],
    message: /whole number/,
  })),
  {
    says: 'a seed in another notation',
    argv: ['evaluate', 'smoke', '--model', 'noop', '--seed', '0b1'],
    message: /whole number/,
  },
  {
    says: 'a tag without value',
    argv: ['evaluate', 'smoke', '--model', 'noop', '--tag', 'easy'],
    message: /key=value/,
  },
  {
    says: 'a dotted flag without value',
    argv: ['evaluate', 'smoke', '--model', 'noop', '--env.max_agent_turns'],
    message: /a value is needed/,
  },
  {
    says: 'an unknown key',
    argv: ['evaluate', 'smoke', '--model', 'noop', '--env.max_agent_turn', '3'],
    message: /env\.max_agent_turn.*max_agent_turns/s,
  },
  {
    says: 'a missing configuration file',
    argv: ['evaluate', 'smoke', '--model', 'noop', '--config', 'no.yaml'],
    message: /no\.yaml.*does not exist/,
  },
  {
    says: 'bad YAML',
    argv: ['evaluate', 'smoke', '--model', 'noop', '--config', 'bad.yaml'],
    files: { 'bad.yaml': 'env:\n  a: [1\n' },
    message: /bad\.yaml.*line \d/,
  },
  {
    says: 'a wrong value in YAML',
    argv: ['evaluate', 'smoke', '--model', 'noop', '--config', 'c.yaml'],
    files: { 'c.yaml': 'env:\n  max_agent_turns: many\n' },
    message: /env\.max_agent_turns: "many" is no whole number.*for example max_agent_turns: 30/,
  },
  { says: 'tasks without a path', argv: ['evaluate', 'tasks', '--model', 'noop'], message: /path/ },
  {
    says: 'tasks in a folder that is not there',
    argv: ['evaluate', 'tasks', '--model', 'noop', '--path', 'nowhere'],
    message: /nowhere/,
  },
  {
    says: 'a folder without tasks',
    argv: ['evaluate', 'tasks', '--model', 'noop', '--path', 'empty'],
    files: { 'empty/.keep': '' },
    message: /empty/,
  },
  {
    says: 'resume without a folder',
    argv: ['evaluate', 'smoke', '--model', 'noop', '--resume'],
    message: /--run-dir/,
  },
  {
    says: 'a run directory that is a file',
    argv: ['evaluate', 'smoke', '--model', 'noop', '--sandbox', 'host', '--run-dir', 'file'],
    files: { file: '' },
    message: /file/,
  },
  { says: 'a report of no run', argv: ['report', 'nowhere'], message: /no run in .*nowhere/ },
  {
    says: 'a module without environment',
    argv: ['evaluate', './m.js', '--model', 'noop'],
    files: { 'm.js': 'export const x = 1;' },
    message: /exports no environment/,
  },
  {
    says: 'a module that does not load',
    argv: ['evaluate', './m.js', '--model', 'noop'],
    files: { 'm.js': 'export const = 1;' },
    message: /could not load \.\/m\.js/,
  },
];

describe('wrong usage ends with 2 and one message that says what to do', () => {
  it.each(cases)('$says', ({ argv, files = {}, message }) =>
    inFolder(async (folder) => {
      for (const [name, text] of Object.entries(files)) {
        await mkdir(join(folder, name, '..'), { recursive: true });
        await writeFile(join(folder, name), text);
      }
      const ended = await hermes(argv, { workingDirectory: folder });
      expect(ended.stderr).toMatch(message);
      expect(ended.stderr).not.toMatch(/\n {4}at /);
      expect(ended.code).toBe(exitCodes.wrongUsage);
    }),
  );
});

describe('help', () => {
  it.each([[['--help']], [['evaluate', '--help']], [['--version']]])(
    '%j ends with 0',
    async (argv) => {
      const ended = await hermes(argv);
      expect(ended.code).toBe(exitCodes.ran);
      expect(ended.stdout.length).toBeGreaterThan(3);
    },
  );

  it('shows the keys of each environment, and those that change nothing', async () => {
    const { stdout } = await hermes(['environments']);
    expect(stdout).toMatch(/^tasks .*path, reward_key, verifier_shim, timeout_multiplier/m);
    expect(stdout).toMatch(/^keys of every environment: .*max_agent_turns/m);
    const { environments, generalKeys } = JSON.parse(
      (await hermes(['environments', '--json'])).stdout,
    );
    expect(environments).toContainEqual(
      expect.objectContaining({
        id: 'smoke',
        keys: ['reward_key', 'verifier_shim', 'timeout_multiplier'],
      }),
    );
    expect(generalKeys).toContainEqual({
      key: 'max_agent_turns',
      default: 30,
      hasEffect: true,
      readers: ['evaluate', 'process', 'serve'],
    });
    expect(generalKeys).toContainEqual({
      key: 'group_size',
      default: 4,
      hasEffect: false,
      readers: ['process', 'serve'],
    });
  });

  it('shows - for an environment that does not tell its keys', async () => {
    const silent = {
      id: 'silent',
      version: '1',
      description: 'says nothing',
      config: {
        '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) },
      },
      open: async () => Promise.reject(new Error('not opened here')),
    } as const;
    const { stdout } = await hermes(['environments'], { environments: [silent] });
    expect(stdout).toMatch(/^silent +1 +- +says nothing$/m);
  });

  it('lists environments, providers and the state of the machine, also as JSON', async () => {
    for (const command of ['environments', 'providers', 'doctor']) {
      const human = await hermes([command]);
      expect(human).toMatchObject({ code: exitCodes.ran, stderr: '' });
      const machine = await hermes([command, '--json']);
      expect(Object.keys(JSON.parse(machine.stdout)).length).toBeGreaterThan(1);
    }
  });
});
