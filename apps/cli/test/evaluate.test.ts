import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { EnvironmentContext, EnvironmentDefinition } from '@hermes/env-core';
import type { Toolset } from '@hermes/protocol';
import { scriptedModel } from '@hermes/protocol/testing';
import { describe, expect, it } from 'vitest';
import { exitCodes, type ModelEntry } from '../src/index.ts';
import { hermes, inFolder, summaryOf } from './_run.ts';

/** Passes when the answer is the item's word. */
const echo: EnvironmentDefinition<{ words: readonly string[] }, string> = {
  id: 'echo',
  version: '1.0.0',
  description: 'Say the word.',
  config: {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate: (value) => {
        const { words = 'one,two,three' } = value as { words?: string };
        return { value: { words: words.split(',') } };
      },
    },
  },
  open: async ({ words }) => ({
    datasetRevision: words.join(),
    toolsets: [],
    async *items() {
      for (const word of words)
        yield { id: word, data: word, tags: { length: String(word.length) } };
    },
    prompt: (item) => [{ role: 'user', content: `Say ${item.data}.` }],
    computeReward: async (item, result) => (result.messages.at(-1)?.content === item.data ? 1 : 0),
    solution: async (item) => ({ turns: [{ content: item.data, calls: [] }] }),
  }),
};

const live: ModelEntry = {
  name: 'live',
  description: 'says one',
  isTrusted: false,
  choose: async (rest) => ({
    provider: 'live',
    modelId: rest ?? 'live',
    open: () => scriptedModel('one'),
  }),
};

async function makeTask(folder: string): Promise<void> {
  const files = {
    'task.toml': 'schema_version = "1.3"\n',
    'instruction.md': 'Write hello into out.txt.\n',
    'tests/test.sh':
      'if test -e out.txt; then echo 1; else echo 0; fi > "$VERIFIER_DIR/reward.txt"\n',
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

function laterItemFirst(one: string, other: string): number {
  return JSON.parse(other).itemIndex - JSON.parse(one).itemIndex;
}

const parts = { environments: [echo as EnvironmentDefinition], models: [live] };

describe('hermes evaluate', () => {
  it('runs every trial, prints the table and leaves a run that report reads again', () =>
    inFolder(async (folder) => {
      const argv = ['evaluate', 'echo', '--model', 'oracle', '--attempts', '2', '--run-dir', 'run'];
      const ended = await hermes(argv, { ...parts, workingDirectory: folder });
      expect(ended).toMatchObject({ code: exitCodes.ran });
      expect(ended.stdout).toContain('echo: 6 trials, 6 passed, 0 failed, 0 errored');
      const again = await hermes(['report', 'run'], { workingDirectory: folder });
      expect(again.code).toBe(exitCodes.ran);
      expect(ended.stdout).toContain(again.stdout);
    }));

  it('lists the items in their own order, whichever finished first', () =>
    inFolder(async (folder) => {
      const argv = ['evaluate', 'echo', '--model', 'live', '--run-dir', 'run'];
      const ended = await hermes(argv, { ...parts, workingDirectory: folder });
      const records = join(folder, 'run/records.jsonl');
      const lines = (await readFile(records, 'utf8')).trim().split('\n');
      await writeFile(records, `${lines.sort(laterItemFirst).join('\n')}\n`);
      const report = await hermes(['report', 'run'], { workingDirectory: folder });
      for (const { stdout } of [ended, report])
        expect(stdout.match(/^(one|two|three)(?= )/gm)).toEqual(['one', 'two', 'three']);
    }));

  it('says of a killed run how many trials finished and how many did not run', () =>
    inFolder(async (folder) => {
      const argv = ['evaluate', 'echo', '--model', 'oracle', '--run-dir', 'run'];
      await hermes(argv, { ...parts, workingDirectory: folder });
      const records = join(folder, 'run/records.jsonl');
      const [first] = (await readFile(records, 'utf8')).split('\n');
      for (const [text, finished, left] of [
        ['', 0, 3],
        [`${first}\n`, 1, 2],
      ] as const) {
        await writeFile(records, text);
        const { stdout } = await hermes(['report', 'run'], { workingDirectory: folder });
        expect(stdout).toContain(
          `not complete: ${finished} of 3 trials finished, ${left} did not run; continue with --resume`,
        );
        expect(stdout).toMatch(/score over all planned: .* \(not run count as 0\)/);
      }
    }));

  it('agrees with itself in table, records and summary', () =>
    inFolder(async (folder) => {
      const argv = ['evaluate', 'echo', '--model', 'live', '--json', '--run-dir', 'run'];
      const ended = await hermes(argv, { ...parts, workingDirectory: folder });
      const summary = summaryOf(ended);
      expect(summary).toMatchObject({
        type: 'summary',
        total: 3,
        passed: 1,
        failed: 2,
        errored: 0,
      });
      const records = (await readFile(join(folder, 'run/records.jsonl'), 'utf8'))
        .trim()
        .split('\n');
      expect(records).toHaveLength(3);
      const report = await hermes(['report', 'run', '--json'], { workingDirectory: folder });
      expect({ type: 'summary', ...JSON.parse(report.stdout) }).toEqual(summary);
    }));

  it('writes nothing but JSON lines to stdout with --json', () =>
    inFolder(async (folder) => {
      const ended = await hermes(['evaluate', 'echo', '--model', 'noop', '--json'], {
        ...parts,
        workingDirectory: folder,
      });
      const types = ended.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).type);
      expect(types[0]).toBe('run_start');
      expect(types.filter((type) => type === 'trial_end')).toHaveLength(3);
      expect(types.at(-1)).toBe('summary');
      expect(types).not.toContain('run_end');
    }));

  it('filters by glob, tag and count', () =>
    inFolder(async (folder) => {
      const run = async (...flags: string[]) =>
        summaryOf(
          await hermes(['evaluate', 'echo', '--model', 'oracle', '--json', ...flags], {
            ...parts,
            workingDirectory: folder,
          }),
        ).total;
      expect(await run('--include', 't*')).toBe(2);
      expect(await run('--include', 't*', '--exclude', 'two')).toBe(1);
      expect(await run('--tag', 'length=3')).toBe(2);
      expect(await run('--limit', '1')).toBe(1);
    }));

  it('goes on with --resume, and refuses a changed model or dataset by name', () =>
    inFolder(async (folder) => {
      const run = (...flags: string[]) =>
        hermes(['evaluate', 'echo', '--run-dir', 'run', '--json', ...flags], {
          ...parts,
          workingDirectory: folder,
        });
      expect((await run('--model', 'live:a')).code).toBe(exitCodes.ran);
      const resumed = await run(
        '--model',
        'live:a',
        '--resume',
        '--openai.base_url',
        'http://127.0.0.1:9/v1',
        '--openai.api_key',
        'another',
      );
      expect(JSON.parse(resumed.stdout.split('\n')[0] ?? '')).toMatchObject({
        planned: 3,
        resumed: 3,
      });
      const model = await run('--model', 'live:b', '--resume');
      expect(model).toMatchObject({ code: exitCodes.wrongUsage });
      expect(model.stderr).toMatch(/modelId was "a" and is "b"/);
      const data = await run('--model', 'live:a', '--resume', '--env.words', 'four');
      expect(data).toMatchObject({ code: exitCodes.wrongUsage });
      expect(data.stderr).toMatch(/datasetRevision/);
      expect((await run('--model', 'live:a')).stderr).toMatch(/--resume/);
    }));

  it('resumes a run of task folders that were moved, and refuses changed ones by name', () =>
    inFolder(async (folder) => {
      await makeTask(join(folder, 'tasks/hello'));
      const run = (path: string, ...flags: string[]) => {
        const common = ['evaluate', 'tasks', '--model', 'noop', '--sandbox', 'host', '--json'];
        const argv = [...common, '--path', path, '--run-dir', 'run', ...flags];
        return hermes(argv, { workingDirectory: folder });
      };
      expect(summaryOf(await run('tasks'))).toMatchObject({ failed: 1, errored: 0 });
      await cp(join(folder, 'tasks'), join(folder, 'elsewhere/copy'), { recursive: true });
      const moved = await run('elsewhere/copy', '--resume');
      expect(moved.stdout).toContain('"resumed":1');
      expect(summaryOf(moved)).toMatchObject({ total: 1, failed: 1 });
      await writeFile(join(folder, 'elsewhere/copy/hello/instruction.md'), 'Another task.');
      const changed = await run('elsewhere/copy', '--resume');
      expect(changed.stderr).toMatch(/datasetRevision was "sha256:/);
      expect(changed.stderr).not.toMatch(/configDigest/);
      expect(changed.code).toBe(exitCodes.wrongUsage);
    }));

  it('never writes a key into the run directory', () =>
    inFolder(async (folder) => {
      await hermes(
        [
          'evaluate',
          'echo',
          '--model',
          'noop',
          '--run-dir',
          'run',
          '--openai.api_key',
          'sk-very-secret',
        ],
        { ...parts, workingDirectory: folder },
      );
      expect(await readFile(join(folder, 'run/run.json'), 'utf8')).not.toContain('sk-very-secret');
    }));

  it('ends with 130 and a summary when it is interrupted', () =>
    inFolder(async (folder) => {
      const controller = new AbortController();
      const hanging: ModelEntry = {
        ...live,
        name: 'hanging',
        choose: async () => ({
          provider: 'h',
          modelId: 'h',
          open: () => scriptedModel({ hang: true }),
        }),
      };
      const stdout = {
        write: (text: string) => {
          if (text.includes('"trial_start"')) controller.abort();
        },
        isTerminal: false,
        columns: 80,
      };
      const ended = await hermes(
        ['evaluate', 'echo', '--model', 'hanging', '--json', '--run-dir', 'run'],
        {
          ...parts,
          models: [hanging],
          workingDirectory: folder,
          stdout,
          signal: controller.signal,
        },
      );
      expect(ended.code).toBe(exitCodes.interrupted);
      const summary = JSON.parse(await readFile(join(folder, 'run/summary.json'), 'utf8'));
      expect(summary).toMatchObject({ interrupted: true, passed: 0, failed: 0 });
    }));

  it('tells warnings of the runner on stderr, one line each', () =>
    inFolder(async (folder) => {
      const leaking: ModelEntry = {
        ...live,
        choose: async () => ({
          provider: 'live',
          modelId: 'live',
          open: () => ({ ...scriptedModel('one'), close: () => Promise.reject(new Error('a\nb')) }),
        }),
      };
      const argv = ['evaluate', 'echo', '--model', 'live', '--limit', '1', '--json'];
      const ended = await hermes(argv, { ...parts, models: [leaking], workingDirectory: folder });
      expect(ended.stderr).toMatch(
        /^hermes: warning: Closing the model of \w+ failed: Error: a\\nb\n$/,
      );
      expect(ended.code).toBe(exitCodes.ran);
    }));

  it('ends with 1 when no trial could be scored', () =>
    inFolder(async (folder) => {
      const broken: ModelEntry = {
        ...live,
        name: 'broken',
        choose: async () => ({
          provider: 'b',
          modelId: 'b',
          open: () => scriptedModel({ error: 'AUTH' }),
        }),
      };
      const ended = await hermes(['evaluate', 'echo', '--model', 'broken'], {
        ...parts,
        models: [broken],
        workingDirectory: folder,
      });
      expect(ended.code).toBe(exitCodes.runFailed);
      expect(ended.stderr).toMatch(/no trial could be scored: model\/model_auth \(3\)/);
    }));
});

describe('the toolsets of a run', () => {
  const tooled = {
    ...parts,
    environments: [
      {
        ...(echo as EnvironmentDefinition),
        id: 'tooled',
        open: async (config: unknown, context: EnvironmentContext) => ({
          ...(await (echo as EnvironmentDefinition).open(config, context)),
          toolsets: [emptyToolset('terminal'), emptyToolset('file')],
        }),
      },
    ],
  };
  const toolsetsOf = (...flags: string[]): Promise<unknown> =>
    inFolder(async (folder) => {
      const argv = ['evaluate', 'tooled', '--model', 'oracle', '--limit', '1', '--run-dir', 'run'];
      const ended = await hermes([...argv, ...flags], { ...tooled, workingDirectory: folder });
      expect(ended.code).toBe(exitCodes.ran);
      const [line = ''] = (await readFile(join(folder, 'run/records.jsonl'), 'utf8')).split('\n');
      return JSON.parse(line).toolsets;
    });

  it('are all of the environment, those that are enabled, or those that are left', async () => {
    expect(await toolsetsOf()).toEqual(['terminal', 'file']);
    expect(await toolsetsOf('--env.enabled_toolsets', 'file')).toEqual(['file']);
    expect(await toolsetsOf('--env.disabled_toolsets', 'file')).toEqual(['terminal']);
  });

  it('can be the list of things to do, which no environment has to bring', async () => {
    const flags = ['--env.enabled_toolsets', 'terminal,todo'];
    expect(((await toolsetsOf(...flags)) as string[]).sort()).toEqual(['terminal', 'todo']);
    expect(await toolsetsOf('--env.enabled_toolsets', 'todo')).toEqual(['todo']);
  });

  it('that are known but not there are told', () =>
    inFolder(async (folder) => {
      const argv = ['evaluate', 'tooled', '--model', 'oracle', '--env.enabled_toolsets', 'web'];
      const ended = await hermes(argv, { ...tooled, workingDirectory: folder });
      expect(ended.code).toBe(exitCodes.ran);
      expect(ended.stderr).toContain('known but not provided here: web');
      expect(ended.stderr).toContain('The rollout has no tools');
    }));

  it('are refused when nobody knows their name', () =>
    inFolder(async (folder) => {
      const argv = ['evaluate', 'tooled', '--model', 'oracle', '--env.enabled_toolsets', 'fil'];
      const ended = await hermes(argv, { ...tooled, workingDirectory: folder });
      expect(ended.code).toBe(exitCodes.wrongUsage);
      expect(ended.stderr).toMatch(/unknown toolset.*file/i);
    }));
});

function emptyToolset(name: string): Toolset {
  return { name, toolNames: [], open: async () => ({ tools: [] }) };
}

describe('a live model', () => {
  const needsSandbox: EnvironmentDefinition = {
    ...(echo as EnvironmentDefinition),
    id: 'boxed',
    open: async (config, context) => ({
      ...(await (echo as EnvironmentDefinition).open(config, context)),
      sandbox: () => ({ network: { mode: 'open' } }),
    }),
  };
  const boxed = { ...parts, environments: [needsSandbox] };

  it('is refused on plain processes before anything is started, with the ways out', () =>
    inFolder(async (folder) => {
      await mkdir(join(folder, 'plain'));
      await writeFile(join(folder, 'plain/index.js'), plainProvider);
      const ended = await hermes(
        ['evaluate', 'boxed', '--model', 'live', '--sandbox', './plain', '--run-dir', 'run'],
        { ...boxed, workingDirectory: folder },
      );
      expect(ended.code).toBe(exitCodes.wrongUsage);
      expect(ended.stderr).toMatch(/without isolation.*bubblewrap.*--sandbox host/s);
      await expect(readFile(join(folder, 'run/run.json'))).rejects.toThrow();
    }));

  it('runs in a provider that is given its own settings, which are no part of the plan', () =>
    inFolder(async (folder) => {
      const run = (...flags: string[]) =>
        hermes(['evaluate', 'boxed', '--model', 'oracle', '--run-dir', 'run', '--json', ...flags], {
          ...boxed,
          workingDirectory: folder,
        });
      const here = `--env.sandbox.rootDir=${folder}/boxes`;
      const first = await run('--sandbox', 'host', here);
      expect(summaryOf(first)).toMatchObject({ total: 3, passed: 3 });
      expect(await readdir(join(folder, 'boxes'))).toBeDefined();
      await writeFile(join(folder, 'c.yaml'), `env:\n  sandbox: { rootDir: ${folder}/others }\n`);
      const resumed = await run('--sandbox', 'host', '--config', 'c.yaml', '--resume');
      expect(summaryOf(resumed)).toMatchObject({ total: 3, passed: 3 });
      expect(await readdir(join(folder, 'others'))).toBeDefined();
      const list = await hermes(['sandbox', 'ls', here], { workingDirectory: folder });
      expect(list).toMatchObject({ code: exitCodes.ran, stdout: 'no sandboxes of this user\n' });
    }));

  it.each([
    ['--env.sandbox.rootDri', '/x', /unknown setting 'rootDri'. Did you mean 'rootDir'\?/],
    ['--env.sandbox.isolation', 'bubblewrap', /host means isolation none.*--sandbox local/],
  ])('is refused with %s %s', (flag, value, message) =>
    inFolder(async (folder) => {
      const argv = ['evaluate', 'boxed', '--model', 'oracle', '--sandbox', 'host', flag, value];
      const ended = await hermes(argv, { ...boxed, workingDirectory: folder });
      expect(ended.stderr).toMatch(message);
      expect(ended.code).toBe(exitCodes.wrongUsage);
    }),
  );

  it('runs on plain processes when they are asked for by name', () =>
    inFolder(async (folder) => {
      const ended = await hermes(
        ['evaluate', 'boxed', '--model', 'live', '--sandbox', 'host', '--json'],
        { ...boxed, workingDirectory: folder },
      );
      expect(summaryOf(ended)).toMatchObject({ total: 3, errored: 0 });
    }));
});

const plainProvider = `
export const createSandboxProvider = async () => ({
  specificationVersion: 'v1', id: 'plain', capabilities: { isolation: 'none' },
  preflight: async () => ({ ok: true, problems: [], capabilities: { isolation: 'none' } }),
  close: async () => {},
});
`;
