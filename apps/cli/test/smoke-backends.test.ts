import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isExpected } from '@hermes/vitest-config/services';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../src/index.ts';
import {
  type Backend,
  dockerVariables,
  expectedBackends,
  expectedPools,
  sshVariables,
} from './_backends.ts';
import { hermes, inFolder, summaryOf } from './_run.ts';

const LONG_MS = 300_000;
const TASKS = 16;

async function smoke(flags: readonly string[], environmentVariables: Backend['variables']) {
  return inFolder(async (folder) => {
    const argv = ['evaluate', 'smoke', '--run-dir', 'run', '--json', ...flags];
    const ended = await hermes(argv, { workingDirectory: folder, environmentVariables });
    const records = await readFile(join(folder, 'run/records.jsonl'), 'utf8').catch(() => '');
    return { ended, records };
  });
}

/** 100 % and 0 %, with none errored. */
async function expectWholeScores(flags: readonly string[], variables: Backend['variables']) {
  for (const [model, passed, failed] of [
    ['oracle', TASKS, 0],
    ['noop', 0, TASKS],
  ] as const) {
    const { ended } = await smoke(['--model', model, ...flags], variables);
    expect(ended, ended.stderr).toMatchObject({ code: exitCodes.ran });
    expect(summaryOf(ended)).toMatchObject({ total: TASKS, passed, failed, errored: 0 });
  }
}

describe.each(expectedBackends())('smoke in $name', ({ name, variables }) => {
  it(
    'is solved whole by its own solutions, and not at all by doing nothing',
    () => expectWholeScores(['--sandbox', name], variables),
    LONG_MS,
  );
});

describe.each(expectedPools())('smoke in $name on $inner', ({ name, inner, variables }) => {
  it(
    'is solved whole by its own solutions, and not at all by doing nothing',
    () => expectWholeScores(['-s', name, '--env.sandbox.inner.provider', inner], variables),
    LONG_MS,
  );
});

describe.runIf(isExpected('docker'))('a pool of one container with ten slots', () => {
  it(
    'plays forty trials, ten at a time',
    async () => {
      const pool = ['--sandbox', 'slot-pool', '--env.max_containers', '1'];
      const trials = ['--limit', '10', '--attempts', '4', '--concurrency', '10'];
      const { ended } = await smoke(['--model', 'oracle', ...pool, ...trials], dockerVariables);
      expect(summaryOf(ended)).toMatchObject({ total: 40, passed: 40, errored: 0 });
    },
    LONG_MS,
  );
});

describe.runIf(isExpected('docker'))('the image of docker sandboxes', () => {
  const busybox = 'hermes-test/busybox:1';

  it(
    'without bash makes every trial errored, before anything is played',
    async () => {
      const variables = { TERMINAL_DOCKER_IMAGE: busybox };
      const { ended, records } = await smoke(['--model', 'oracle', '-s', 'docker'], variables);
      expect(ended.code).toBe(exitCodes.runFailed);
      expect(summaryOf(ended)).toMatchObject({
        total: TASKS,
        errored: TASKS,
        erroredBy: { 'environment/command_missing': TASKS },
      });
      expect(records).toMatch(/lacks what this item needs: bash/);
    },
    LONG_MS,
  );

  it.each([
    { says: 'as a key', flags: ['--env.docker_image', busybox], variables: dockerVariables },
    { says: 'as a setting', flags: ['--env.sandbox.image', busybox], variables: dockerVariables },
    { says: 'by variable', flags: [], variables: { TERMINAL_DOCKER_IMAGE: busybox } },
  ])(
    'is named $says, the stronger one first',
    async ({ flags, variables }) => {
      const one = ['--model', 'oracle', '--limit', '1', '--env.terminal_backend', 'docker'];
      const { ended } = await smoke([...one, ...flags], variables);
      expect(summaryOf(ended)).toMatchObject({ erroredBy: { 'environment/command_missing': 1 } });
    },
    LONG_MS,
  );
});

describe.runIf(isExpected('sshd'))('ssh', () => {
  it('is chosen and set by the variables of the original alone', async () => {
    const variables = { TERMINAL_ENV: 'ssh', ...sshVariables() };
    const { ended } = await smoke(['--model', 'oracle', '--limit', '1'], variables);
    expect(ended.stderr).toContain('sandbox ssh: ');
    expect(summaryOf(ended)).toMatchObject({ passed: 1 });
  });
});
