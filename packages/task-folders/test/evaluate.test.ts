import { fileURLToPath } from 'node:url';
import type { Environment, EnvironmentDefinition } from '@hermes/env-core';
import {
  createEffects,
  evaluate,
  type OpenModel,
  openNoop,
  openOracle,
  type RunSummary,
} from '@hermes/env-core';
import type { RolloutRecord } from '@hermes/protocol';
import { isExpected } from '@hermes/vitest-config/services';
import { describe, expect, it } from 'vitest';
import { smoke, type TaskFolder, type TaskFoldersConfig, taskFolders } from '../src/index.ts';
import { makeTask } from './_make-task.ts';
import { ISOLATIONS, type Isolation, openProvider } from './_sandbox.ts';

type Outcome = Readonly<{ summary: RunSummary; records: readonly RolloutRecord[] }>;

async function play(
  definition: Pick<EnvironmentDefinition, 'id' | 'version'>,
  environment: Environment<TaskFolder>,
  isolation: Isolation,
  open: OpenModel,
  signal?: AbortSignal,
): Promise<Outcome> {
  const records: RolloutRecord[] = [];
  const summary = await evaluate({
    definition: { id: definition.id, version: definition.version, configDigest: 'test' },
    environment,
    model: { provider: 'test', modelId: 'test', open },
    sandboxes: await openProvider(isolation),
    sampling: {},
    sinks: [{ record: async (record) => void records.push(record) }],
    ...(signal === undefined ? {} : { signal }),
  });
  return { summary, records };
}

async function playFolder(
  config: TaskFoldersConfig,
  isolation: Isolation,
  open: OpenModel,
): Promise<Outcome> {
  return play(taskFolders, await taskFolders.open(config, openContext()), isolation, open);
}

function openContext() {
  const { signal } = new AbortController();
  return { effects: createEffects(), signal, judge: null, variables: { LEVEL: 'host' } };
}

function fixture(name: string): string {
  return fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
}

function outcomes(records: readonly RolloutRecord[]): Record<string, string> {
  const entries = records.map((record) => [
    record.identity.itemId,
    record.status === 'completed' ? String(record.reward.reward) : record.errored.cause,
  ]);
  return Object.fromEntries(entries.sort());
}

describe.each(ISOLATIONS)('smoke, isolation %s', (isolation) => {
  it('is all passed by its own solutions, all failed by nothing, none errored', async () => {
    const environment = await smoke.open({}, openContext());
    const oracle = await play(smoke, environment, isolation, openOracle);
    expect(outcomes(oracle.records)).toEqual(
      Object.fromEntries(Object.keys(outcomes(oracle.records)).map((name) => [name, '1'])),
    );
    expect(oracle.summary).toMatchObject({
      total: 16,
      passed: 16,
      failed: 0,
      errored: 0,
      marks: ['image_not_used'],
    });
    const noop = await play(smoke, environment, isolation, openNoop);
    expect(noop.summary).toMatchObject({ total: 16, passed: 0, failed: 16, errored: 0 });
  }, 180_000);
});

describe('tasks that a local sandbox cannot play are errored before the agent starts', () => {
  const rows = [
    ['needs-missing-command', 'none', 'command_missing'],
    ['needs-missing-command', 'bubblewrap', 'command_missing'],
    ['image-only', 'none', 'sandbox_unsupported'],
    ['image-only', 'bubblewrap', 'sandbox_unsupported'],
    ['builds-an-image', 'none', 'sandbox_unsupported'],
    ['builds-an-image', 'bubblewrap', 'sandbox_unsupported'],
    ['absolute-paths', 'none', 'path_unavailable'],
  ] as const;

  it.each(rows.filter(([, isolation]) => ISOLATIONS.includes(isolation)))(
    '%s, isolation %s: %s',
    async (name, isolation, cause) => {
      const { records } = await playFolder({ path: fixture(name) }, isolation, openOracle);
      expect(outcomes(records)).toEqual({ [name]: cause });
      expect(records.map((record) => record.agent)).toEqual([null]);
    },
  );

  it.runIf(isExpected('bubblewrap'))(
    'and one with absolute places plays where they are',
    async () => {
      const { records } = await playFolder(
        { path: fixture('absolute-paths') },
        'bubblewrap',
        openOracle,
      );
      expect(outcomes(records)).toEqual({ 'absolute-paths': '1' });
      expect(records[0]?.marks).toEqual(['image_not_used']);
    },
  );

  it.runIf(isExpected('bubblewrap'))(
    'and one that copies to a place of the system says that it needs an image',
    async () => {
      const path = await makeTask({
        'environment/Dockerfile': 'FROM a\nWORKDIR /app\nCOPY x.txt /usr/local/share/\n',
        'environment/x.txt': 'x',
      });
      const { records } = await playFolder({ path }, 'bubblewrap', openNoop);
      expect(Object.values(outcomes(records))).toEqual(['sandbox_unsupported']);
    },
  );

  it('and of a broken set each broken folder is named, the good one plays', async () => {
    const { records } = await playFolder({ path: fixture('broken-set') }, 'none', openOracle);
    expect(outcomes(records)).toEqual({
      'bad-toml': 'item_invalid',
      'conflicting-memory': 'item_invalid',
      good: '1',
      'no-tests': 'item_invalid',
    });
    const missing = records.find((record) => record.identity.itemId === 'no-tests');
    expect(missing?.status === 'errored' && missing.errored.error.message).toMatch(
      /no-tests\/tests\/test\.sh: is missing/,
    );
  });
});

describe('a task folder in a run', () => {
  const verify =
    'if [ "$(cat out.txt)" = hello ]; then echo 1; else echo 0; fi > "$VERIFIER_DIR/reward.txt"';

  it('is verified also when the agent ran out of time', async () => {
    const path = await makeTask({
      'task.toml': '[agent]\ntimeout_sec = 1.5',
      'tests/test.sh': verify,
      'solution/solve.sh': 'echo hello > out.txt; sleep 60',
    });
    const { records } = await playFolder({ path }, 'none', openOracle);
    expect(records[0]).toMatchObject({
      status: 'completed',
      agentTimedOut: true,
      reward: { reward: 1 },
    });
  });

  it('brings its whole solution folder along and hands on its variables', async () => {
    const path = await makeTask({
      'task.toml':
        '[solution.env]\nLEVEL = "${LEVEL}"\nQUOTED = "it\'s"\n[verifier.env]\nWANTED = "${WANTED:-host it\'s}"',
      'tests/test.sh':
        'if [ "$(cat out.txt)" = "data $WANTED" ]; then echo 1; else echo 0; fi > "$VERIFIER_DIR/reward.txt"',
      'solution/solve.sh':
        'cat "$(dirname "$0")/sub dir/data" > out.txt; printf " %s %s" "$LEVEL" "$QUOTED" >> out.txt; exit 9',
      'solution/sub dir/data': 'data',
      'solution/empty': '',
    });
    const { records } = await playFolder({ path }, 'none', openOracle);
    expect(records[0]).toMatchObject({ status: 'completed', reward: { reward: 1 } });
  });

  it('without a solution, or with one too large, is errored under the oracle', async () => {
    for (const files of [
      {},
      { 'solution/solve.sh': 'true', 'solution/big': 'x'.repeat(1_000_000) },
    ]) {
      const { records } = await playFolder({ path: await makeTask(files) }, 'none', openOracle);
      expect(Object.values(outcomes(records))).toEqual(['solution_missing']);
    }
  });

  it('is marked where its times or its verifier are not its own', async () => {
    const path = await makeTask({ 'tests/test.sh': verify });
    const { records } = await playFolder(
      { path, timeoutMultiplier: 2, verifierShim: true },
      'none',
      openNoop,
    );
    expect(records[0]?.marks).toEqual(
      expect.arrayContaining(['timeout_override', 'verifier_shim']),
    );
  });

  it('waits for its health check, and is errored when it never passes', async () => {
    const check = (command: string) =>
      `[environment.healthcheck]\ncommand = "${command}"\ninterval_sec = 0.01\nretries = 5`;
    const good = await makeTask({
      'task.toml': check('echo x >> tries; [ $(wc -l < tries) -ge 3 ]'),
      'tests/test.sh': verify,
    });
    expect(
      Object.values(outcomes((await playFolder({ path: good }, 'none', openNoop)).records)),
    ).toEqual(['0']);
    const bad = await makeTask({ 'task.toml': check('false'), 'tests/test.sh': verify });
    expect(
      Object.values(outcomes((await playFolder({ path: bad }, 'none', openNoop)).records)),
    ).toEqual(['setup_failed']);
  });
});
