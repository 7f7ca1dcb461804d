import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type FakeAnswer,
  type FakeOpenAiServer,
  perConversation,
  rateLimited,
  serverBroken,
  startFakeOpenAiServer,
} from '@hermes/model-openai/testing';
import type { RolloutRecord } from '@hermes/protocol';
import { isExpected } from '@hermes/vitest-config/services';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../src/index.ts';
import { outcomeOf, recordsIn } from './_live.ts';
import { type Ended, hermes, inFolder } from './_run.ts';

const REWARD = '"$VERIFIER_DIR/reward.txt"';

/** Passes when out.txt says hello. */
const USUAL = {
  'task.toml': 'schema_version = "1.3"\n',
  'instruction.md': 'Write hello into out.txt.\n',
  'tests/test.sh': `if grep -qx hello out.txt; then echo 1; else echo 0; fi > ${REWARD}\n`,
};

const shell = (command: string): FakeAnswer => ({
  toolCalls: [{ name: 'terminal', arguments: { command } }],
});
const HELLO = shell('echo hello > out.txt');

/** A task in a folder, a server that plays its agent, and the command that runs both, as often as wanted. */
interface Stage {
  readonly folder: string;
  readonly server: FakeOpenAiServer;
  run(...flags: string[]): Promise<Ended>;
  records(name?: string): Promise<RolloutRecord[]>;
}

function onStage<T>(
  answers: readonly FakeAnswer[] | ((request: { number: number }) => FakeAnswer),
  files: Readonly<Record<string, string>>,
  work: (stage: Stage) => Promise<T>,
): Promise<T> {
  return inFolder(async (folder) => {
    await writeTask(join(folder, 'tasks/hello'), { ...USUAL, ...files });
    const server = await startFakeOpenAiServer({ answers });
    const common = `evaluate tasks --path tasks --sandbox host --run-dir run --model openai:fake`;
    const address = ['--base-url', server.baseUrl, '--openai.max_attempts', '1'];
    try {
      return await work({
        folder,
        server,
        run: (...flags) =>
          hermes([...common.split(' '), ...address, ...flags], { workingDirectory: folder }),
        records: (name) => recordsIn(folder, name),
      });
    } finally {
      await server.close();
    }
  });
}

async function writeTask(dir: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, name)), { recursive: true });
    await writeFile(join(dir, name), text);
    await chmod(join(dir, name), 0o755);
  }
}

it('a live model on the plain host is told that nothing is defended there', () =>
  onStage([HELLO, 'Done.'], {}, async ({ run }) => {
    expect((await run()).stderr).toContain('warning: this sandbox defends nothing');
  }));

describe('a fault of an agent or its server', () => {
  it('an agent that hangs after its work is verified, and both are visible', () =>
    onStage([HELLO, { fault: 'hang' }], {}, async ({ run, records }) => {
      expect((await run('--agent-timeout', '3')).stdout).toContain('agent timed out in 1 trial');
      const [record] = await records();
      expect(outcomeOf(record)).toBe('reward 1, deadline');
      expect(record?.agentTimedOut).toBe(true);
    }));

  it('work whose model fails for good is kept, and told apart from work that never began', () =>
    onStage(
      ({ number }) =>
        [
          shell(
            'git init -q . && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x; echo hello > out.txt',
          ),
          serverBroken(),
        ][number - 1] ?? serverBroken(),
      {},
      async ({ folder, run, records }) => {
        await run('--max-tries', '2');
        const [record] = await records();
        expect(outcomeOf(record)).toBe('model/model_server');
        const [first, second] = [record?.tries[0]?.rolloutId, record?.rolloutId];
        const read = (id: string | undefined, name: string) =>
          readFile(join(folder, 'run/artifacts', id ?? '', name), 'utf8');
        expect(await read(first, 'workspace/out.txt')).toBe('hello\n');
        expect(await read(first, 'work.patch')).toContain('+hello');
        expect(JSON.parse(await read(first, 'work.json'))).toMatchObject({
          toolCalls: 1,
          patch: 'work.patch',
        });
        expect(JSON.parse(await read(second, 'work.json'))).toMatchObject({
          toolCalls: 0,
          workspace: null,
          patch: null,
        });
      },
    ));

  it('an empty patch is told apart from no attempt', () =>
    onStage(
      [
        shell('git init -q . && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x'),
        serverBroken(),
      ],
      {},
      async ({ folder, run, records }) => {
        await run('--max-tries', '1');
        const [record] = await records();
        const work = join(folder, 'run/artifacts', record?.rolloutId ?? '', 'work.json');
        expect(JSON.parse(await readFile(work, 'utf8'))).toMatchObject({
          toolCalls: 1,
          patch: 'work.patch',
          patchBytes: 0,
        });
      },
    ));

  it('a background child that holds the output open neither delays the agent nor outlives it', () =>
    onStage(
      [shell('sleep 98765 & echo hello > out.txt'), 'Done.'],
      {},
      async ({ run, records }) => {
        await run();
        const [record] = await records();
        expect(outcomeOf(record)).toBe('reward 1, natural');
        expect(await commandLines()).not.toContain('sleep\u000098765\u0000');
      },
    ));

  it('is tried again as often as was asked, and every try is on disk and in the record', () =>
    onStage([rateLimited(0), HELLO, 'Done.'], {}, async ({ folder, run, records }) => {
      await run('--max-tries', '2');
      const [record] = await records();
      expect(outcomeOf(record)).toBe('reward 1, natural');
      expect(record?.tries).toMatchObject([{ errored: { cause: 'model_rate_limit' } }]);
      expect((await records('tries')).map(outcomeOf)).toEqual(['model/model_rate_limit']);
      expect(await readdir(join(folder, 'run/events'))).toHaveLength(2);
    }));

  it('is not tried again where that was asked, and an unknown option is refused', () =>
    onStage([rateLimited(0)], {}, async ({ run, records, server }) => {
      expect((await run('--max-tries', '1')).code).toBe(exitCodes.runFailed);
      expect((await records()).map(outcomeOf)).toEqual(['model/model_rate_limit']);
      expect(server.requests).toHaveLength(1);
      const unknown = await run('--max-retries', '5');
      expect(unknown).toMatchObject({ code: exitCodes.wrongUsage });
      expect(unknown.stderr).toContain("unknown option '--max-retries'");
    }));
});

describe('a fault of a verifier', () => {
  const played = perConversation([HELLO, 'Done.']) as never;

  it.each<[string, string, string]>([
    [
      'ends before it writes a reward, because of `set -e`',
      `set -e\nfalse\nif [ $? -eq 0 ]; then echo 1; else echo 0; fi > ${REWARD}\n`,
      'verifier/reward_missing',
    ],
    [
      'ends well and writes no reward',
      'echo all tests passed\nexit 0\n',
      'verifier/reward_missing',
    ],
    ['lacks the tool that runs the tests', 'uvx pytest "$TESTS_DIR"\n', 'verifier/verifier_setup'],
    ['writes an empty reward', `: > ${REWARD}\n`, 'verifier/reward_empty'],
    ['writes a reward that is none', `echo maybe > ${REWARD}\n`, 'verifier/reward_unparsable'],
  ])('that %s is no score', (_what, script, outcome) =>
    onStage(played, { 'tests/test.sh': script }, async ({ run, records }) => {
      const ended = await run();
      expect((await records()).map(outcomeOf)).toEqual([outcome]);
      expect(ended.code).toBe(exitCodes.runFailed);
      expect(ended.stdout).toMatch(/score over valid trials: -/);
    }),
  );

  it.runIf(isExpected('bubblewrap'))(
    'leaves the work of the agent, whose own sandbox was ended for the verdict',
    () =>
      onStage(played, { 'tests/test.sh': `: > ${REWARD}\n` }, async ({ folder, run, records }) => {
        await run('--sandbox', 'bubblewrap');
        const [record] = await records();
        expect(outcomeOf(record)).toBe('verifier/reward_empty');
        const kept = join(folder, 'run/artifacts', record?.rolloutId ?? '', 'workspace/out.txt');
        expect(await readFile(kept, 'utf8')).toBe('hello\n');
      }),
  );

  it('of several rewards keeps all, and takes the one that is meant', () => {
    const rewards = `echo '{"correct": 1, "style": 0.5}' > "$VERIFIER_DIR/reward.json"\n`;
    return onStage(played, { 'tests/test.sh': rewards }, async ({ run, records }) => {
      await run('--env.reward_key', 'style');
      expect(await records()).toMatchObject([
        { reward: { reward: 0.5, rewards: { correct: 1, style: 0.5 } } },
      ]);
    });
  });

  it('that was mended runs again on demand; until then the resume says how many have no score', () =>
    onStage(played, {}, async ({ folder, run, records }) => {
      const tool = join(folder, 'tool.sh');
      const script = `sh ${tool} > ${REWARD}\n`;
      await writeFile(join(folder, 'tasks/hello/tests/test.sh'), script);
      await run();
      expect((await records())[0]?.status).toBe('errored');
      await writeFile(tool, 'echo 1\n');
      const kept = await run('--resume');
      expect(kept.stdout).toMatch(/1 already finished \(1 of them errored; --retry errored/);
      expect((await records())[0]?.status).toBe('errored');
      const again = await run('--resume', '--retry', 'verifier');
      expect(again.code).toBe(exitCodes.ran);
      expect((await records()).map(outcomeOf)).toEqual(['reward 1, natural']);
      expect(await records('tries')).toHaveLength(1);
    }));

  it('compares text with quotes, dollars and backticks as it is', () => {
    const text = `it's "$HOME" \`date\` \\n $(id) %s\n`;
    const files = {
      'tests/expected.txt': text,
      'tests/test.sh': `if cmp -s "$TESTS_DIR/expected.txt" out.txt; then echo 1; else echo 0; fi > ${REWARD}\n`,
    };
    const write = shell(`cat > out.txt <<'END'\n${text}END\n`);
    return onStage([write, 'Done.'], files, async ({ run, records }) => {
      await run();
      expect((await records()).map(outcomeOf)).toEqual(['reward 1, natural']);
    });
  });
});

describe('a crash between the last trial and the summary', () => {
  it('loses nothing: report makes the table from the records alone', () =>
    onStage([HELLO, 'Done.'], {}, async ({ folder, run }) => {
      const ended = await run();
      await rm(join(folder, 'run/summary.json'));
      const report = await hermes(['report', 'run'], { workingDirectory: folder });
      expect(ended.stdout).toContain(report.stdout);
      expect(report.stdout).toContain('1 passed');
    }));
});

async function commandLines(): Promise<readonly string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''));
  return Promise.all(lines);
}
