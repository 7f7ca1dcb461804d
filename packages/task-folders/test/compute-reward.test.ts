import { readdir } from 'node:fs/promises';
import type { Verdict } from '@hermes/env-core';
import type { ToolContext } from '@hermes/tools';
import { isExpected } from '@hermes/vitest-config/services';
import { beforeAll, describe, expect, it } from 'vitest';
import { computeReward, type GradingOptions } from '../src/compute-reward.ts';
import { readTaskFolder } from '../src/index.ts';
import { makeTask } from './_make-task.ts';
import { agent, ISOLATIONS, type StagedTask, stage } from './_sandbox.ts';

const OPTIONS: GradingOptions = {
  rewardKey: null,
  verifierShim: false,
  verifierTimeoutMs: 20_000,
  verifierEnv: {},
};
const OUT = '${VERIFIER_DIR:?}';

async function gradeOf(
  task: StagedTask,
  options: Partial<GradingOptions> = {},
): Promise<Exclude<Verdict, number>> {
  const verdict = await computeReward(task.folder, task.tools, { ...OPTIONS, ...options });
  if (typeof verdict === 'number') throw new Error('a bare number');
  return verdict;
}

describe.each(ISOLATIONS)('grading, isolation %s', (isolation) => {
  let sandbox: StagedTask;
  beforeAll(async () => {
    sandbox = await stage(isolation, {});
  });
  /** All in one sandbox: each grading makes its folders anew. */
  const grade = async (script: string, options: Partial<GradingOptions> = {}) => {
    const folder = await readTaskFolder(await makeTask({ 'tests/test.sh': script }));
    return gradeOf({ ...sandbox, folder }, options);
  };

  it('takes the reward file, never the exit code', async () => {
    const full = await grade(`echo fine; echo 1 > "${OUT}/reward.txt"; exit 3`);
    expect(full).toMatchObject({
      kind: 'reward',
      reward: 1,
      resolved: true,
      rewards: { reward: 1 },
    });
    expect(full).toMatchObject({
      details: { exitCode: 3, rewardFile: 'reward.txt', stdoutTail: 'fine\n' },
    });
    expect(await grade(`echo 0.5 > "${OUT}/reward.txt"`)).toMatchObject({
      reward: 0.5,
      resolved: false,
    });
    expect(await grade('exit 0')).toMatchObject({
      kind: 'could_not_score',
      cause: 'reward_missing',
    });
  });

  it('prefers reward.json, keeps all keys, and never merges', async () => {
    const verdict = await grade(
      `echo '{"correct": 1, "style": 0.5}' > "${OUT}/reward.json"; echo 1 > "${OUT}/reward.txt"`,
    );
    expect(verdict).toMatchObject({
      reward: 0.75,
      rewards: { correct: 1, style: 0.5 },
      marks: ['reward_mean'],
    });
    expect(verdict.details?.warning).toContain('mean');
    const keyed = await grade(`echo '{"correct": 1, "style": 0.5}' > "${OUT}/reward.json"`, {
      rewardKey: 'style',
    });
    expect(keyed).toMatchObject({ reward: 0.5, details: { rewardFile: 'reward.json' } });
    expect(keyed).not.toHaveProperty('marks');
  });

  it.each([
    [`echo '{' > "${OUT}/reward.json"; echo 1 > "${OUT}/reward.txt"`, 'reward_unparsable'],
    [`: > "${OUT}/reward.json"; echo 1 > "${OUT}/reward.txt"`, 'reward_empty'],
    [`echo '{}' > "${OUT}/reward.json"; echo 1 > "${OUT}/reward.txt"`, 'reward_missing'],
    [`: > "${OUT}/reward.txt"`, 'reward_empty'],
    [`echo yes > "${OUT}/reward.txt"`, 'reward_unparsable'],
    [`mkdir "${OUT}/reward.json"; echo 1 > "${OUT}/reward.txt"`, 'reward_unparsable'],
    [`mkfifo "${OUT}/reward.txt"`, 'reward_unparsable'],
    [`echo 1 > one; ln -s "$PWD/one" "${OUT}/reward.txt"`, 'reward_unparsable'],
    [`ln -s /dev/zero "${OUT}/reward.txt"`, 'reward_unparsable'],
    [`ln -s nowhere "${OUT}/reward.json"; echo 1 > "${OUT}/reward.txt"`, 'reward_unparsable'],
    [`head -c 2000000 /dev/zero | tr '\\0' 1 > "${OUT}/reward.txt"`, 'reward_unparsable'],
    [`rm -rf "${OUT}"`, 'reward_missing'],
    [`echo 1 > "${OUT}/reward.txt"; kill -9 $$`, 'verifier_crashed'],
    ['echo "Could not resolve host: x.org"; exit 1', 'verifier_setup'],
    [
      `echo "bash: line 3: uvx: command not found" >&2; echo 0 > "${OUT}/reward.txt"`,
      'verifier_setup',
    ],
    [
      `echo "Temporary failure resolving 'deb.x.org'"; echo '{}' > "${OUT}/reward.json"`,
      'verifier_setup',
    ],
  ])('%s: could not score, %s', async (script, cause) => {
    expect(await grade(script)).toMatchObject({ kind: 'could_not_score', cause });
  });

  it('keeps a good reward although the log has a sign of failed installs', async () => {
    expect(
      await grade(`echo "E: Unable to fetch some archives"; echo 1 > "${OUT}/reward.txt"`),
    ).toMatchObject({ reward: 1 });
  });

  it('does not use a reward written before a time-out', async () => {
    const verdict = await grade(`echo 1 > "${OUT}/reward.txt"; echo begun; sleep 60`, {
      verifierTimeoutMs: 700,
    });
    expect(verdict).toMatchObject({
      cause: 'verifier_timeout',
      details: { stdoutTail: 'begun\n' },
    });
  });

  it('keeps the end of a long log', async () => {
    const { details } = await grade(`seq 1 100000; echo 1 > "${OUT}/reward.txt"`);
    expect(String(details?.stdoutTail)).toMatch(/^\.\.\..*\n99999\n100000\n$/s);
    expect(String(details?.stdoutTail).length).toBeLessThan(5000);
  });

  it('puts the test report into the details, cut down', async () => {
    const report = JSON.stringify({
      results: {
        tool: { name: 'pytest' },
        summary: { tests: 2, passed: 1, note: 'x' },
        tests: [
          { name: 'a', status: 'passed', duration: 3 },
          'odd',
          { name: 'b', status: 'failed', message: 'm'.repeat(900) },
        ],
      },
    });
    const { details } = await grade(
      `cat > "${OUT}/ctrf.json" <<'E'\n${report}\nE\necho 1 > "${OUT}/reward.txt"`,
    );
    expect(details?.ctrf).toMatchObject({
      tool: 'pytest',
      summary: { tests: 2, passed: 1 },
      tests: [{ name: 'a', duration: 3 }, { message: 'm'.repeat(500) }],
    });
    expect(
      await grade(`echo '[' > "${OUT}/ctrf.json"; echo 1 > "${OUT}/reward.txt"`),
    ).toMatchObject({ reward: 1 });
  });

  it("runs in the working directory, with the tests as they are and the verifier's variables", async () => {
    const task = await stage(isolation, {
      'tests/test.sh': `[ -x "$TESTS_DIR/test.sh" ] && [ "$(cat "$(dirname "$0")/data dir/x.txt")" = data ] && [ "$KEY" = secret ] && [ "$(cat out.txt)" = hello ] && echo 1 > "${OUT}/reward.txt"`,
      'tests/data dir/x.txt': 'data',
    });
    await agent(task, 'echo hello > out.txt');
    expect(await gradeOf(task, { verifierEnv: { KEY: 'secret' } })).toMatchObject({ reward: 1 });
  });

  it('gives an honest nothing where the agent removed what it worked in', async () => {
    const task = await stage(isolation, {
      'tests/test.sh': `if [ -f out.txt ]; then echo 1; else echo 0; fi > "${OUT}/reward.txt"`,
    });
    await task.tools.exec('rm -rf -- "$PWD"');
    expect(await gradeOf(task)).toMatchObject({ kind: 'reward', reward: 0 });
  });

  it('runs installers by stand-ins under the shim', async () => {
    const script = `apt-get update && apt-get install -y curl && curl -LsSf https://astral.sh/uv/install.sh | sh && source "$HOME/.local/bin/env" && echo 1 > "${OUT}/reward.txt"`;
    expect(await grade(script, { verifierShim: true })).toMatchObject({ reward: 1 });
  });
});

describe('a verifier that cannot be set up', () => {
  it('for want of its tests is no score', async () => {
    const task = await stage('none', {});
    const upload = async (_local: string, path: string) =>
      ({ ok: false, code: 'NO_SPACE', path }) as const;
    const verdict = await gradeOf({ ...task, tools: { ...task.tools, upload } });
    expect(verdict).toMatchObject({ kind: 'could_not_score', cause: 'tests_upload' });
    expect(verdict).toMatchObject({ message: expect.stringContaining('NO_SPACE') });
  });

  it.runIf(isExpected('bubblewrap'))(
    'because something planted cannot be removed is no score',
    async () => {
      const task = await stage('bubblewrap', { 'instruction.md': 'Work in /app.' });
      await agent(task, 'echo 1 > /logs/verifier/reward.txt');
      const withoutRm: ToolContext['exec'] = (command, options) =>
        task.tools.exec(`rm() { return 1; }\n${String(command)}`, options);
      const verdict = await gradeOf({ ...task, tools: { ...task.tools, exec: withoutRm } });
      expect(verdict).toMatchObject({ kind: 'could_not_score', cause: 'verifier_setup' });
      expect(verdict).toMatchObject({
        message: expect.stringContaining('/logs/verifier holds what'),
      });
    },
  );
});

describe('what the agent planted', () => {
  const honest = `[ -z "$(ls -A /logs/verifier)" ] && [ "$(ls -A /tests)" = test.sh ] && echo 1 > /logs/verifier/reward.txt`;

  it.runIf(isExpected('bubblewrap')).each([
    [
      'files of both names',
      'echo 1 > /logs/verifier/reward.txt; echo "{}" > /logs/verifier/reward.json; mkdir -p /logs/verifier/a/b; echo x > /logs/verifier/.hidden; echo x > /logs/verifier/..odd',
    ],
    [
      'helpers among the tests',
      'mkdir -p /tests; echo "exit 0" > /tests/helper.sh; ln -s helper.sh /tests/test.sh',
    ],
    [
      'a link in place of the verifier folder',
      'mkdir -p /app/mine; rm -rf /logs/verifier; ln -s /app/mine /logs/verifier',
    ],
    [
      'a link in place of the tests folder',
      'mkdir -p /app/mine; echo x > /app/mine/x; rmdir /tests 2>/dev/null; [ -d /tests ] || ln -s /app/mine /tests',
    ],
    ['files in place of folders', 'rm -rf /logs/verifier; echo x > /logs/verifier'],
    ['a pipe for the reward', 'mkfifo /logs/verifier/reward.txt'],
    [
      'a folder without rights',
      'mkdir -p /logs/verifier/locked/deep; chmod 000 /logs/verifier/locked',
    ],
  ])('is gone before the tests run: %s', async (_name, script) => {
    const task = await stage('bubblewrap', {
      'instruction.md': 'Work in /app.',
      'tests/test.sh': honest,
      'environment/Dockerfile': 'FROM a\nWORKDIR /app\n',
    });
    await agent(task, script);
    expect(await gradeOf(task)).toMatchObject({ kind: 'reward', reward: 1 });
  });

  it('is of no use in a sandbox without absolute places: the folders are new and nobody knew their names', async () => {
    const places = `case "$VERIFIER_DIR" in "$PWD"*) exit 1 ;; esac; [ -z "$(ls -A "$VERIFIER_DIR")" ] && echo "$VERIFIER_DIR" && echo 1 > "${OUT}/reward.txt"`;
    const task = await stage('none', { 'tests/test.sh': places });
    const [first, second] = [await gradeOf(task), await gradeOf(task)];
    expect([first, second]).toEqual([
      expect.objectContaining({ reward: 1 }),
      expect.objectContaining({ reward: 1 }),
    ]);
    expect(first.details?.stdoutTail).not.toBe(second.details?.stdoutTail);
    const used = String(first.details?.stdoutTail).trim();
    await expect(readdir(used)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
