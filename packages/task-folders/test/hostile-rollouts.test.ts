import { join } from 'node:path';
import { createEffects, evaluate, type RunSummary } from '@hermes/env-core';
import type { RolloutRecord } from '@hermes/protocol';
import { scriptedModel } from '@hermes/protocol/testing';
import { isExpected } from '@hermes/vitest-config/services';
import { beforeAll, describe, expect, it } from 'vitest';
import { taskFolders } from '../src/index.ts';
import { HOSTILE_ANSWERS, HOSTILE_FLOODS, type HostileAnswer } from './_hostile-answers.ts';
import { temporaryFolder, writeTask } from './_make-task.ts';
import { openLocalProvider } from './_sandbox.ts';

const WANTS_HELLO = {
  'instruction.md': 'Write hello into /app/out.txt.\n',
  'environment/Dockerfile': 'FROM debian\nWORKDIR /app\n',
  'tests/test.sh':
    'if [ "$(cat out.txt 2>/dev/null)" = hello ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt\n',
};
const HONEST: readonly HostileAnswer[] = ['honest-first', 'zz-honest-last'].map((name) => ({
  name,
  commands: ['echo hello > out.txt'],
  outcome: '1',
}));

const PLAY_LIMIT_MS = 90_000;

/** Those that meet the supervisor, or what it misses: commands that leave their process group. */
const DIFFERENT_UNDER_SH = [
  'reward-pipe',
  'reward-rewritten',
  'verifier-killed',
  'programs-of-the-root',
  'fork-bomb',
  'full-disk',
  'workdir-is-a-file',
  'answer-leaves-a-forger',
];

type Played = Readonly<{ records: readonly RolloutRecord[]; summary: RunSummary }>;

async function play(answers: readonly HostileAnswer[], supervisor: 'go' | 'sh'): Promise<Played> {
  const path = await temporaryFolder();
  for (const { name, task } of answers)
    await writeTask(join(path, name), { ...WANTS_HELLO, ...task });
  const effects = createEffects();
  const { signal } = new AbortController();
  const sandboxes = await openLocalProvider({ isolation: 'bubblewrap', supervisor });
  const records: RolloutRecord[] = [];
  const summary = await evaluate({
    definition: { id: 'tasks', version: '1', configDigest: 'test' },
    environment: await taskFolders.open({ path }, { effects, signal, judge: null }),
    model: {
      provider: 'test',
      modelId: 'test',
      open: ({ identity }) => answering(answers, identity.itemId),
    },
    sandboxes,
    sampling: {},
    scheduler: { rollouts: 4 },
    retry: { maxTries: 1 },
    signal: AbortSignal.timeout(PLAY_LIMIT_MS),
    limits: { agent: { deadlineMs: 20_000 } },
    sinks: [{ record: async (record) => void records.push(record) }],
  });
  return { records, summary };
}

function answering(answers: readonly HostileAnswer[], itemId: string) {
  const commands = answers.find(({ name }) => name === itemId)?.commands ?? [];
  const calls = commands.map((command) => ({
    calls: [{ name: 'terminal', arguments: { command, timeout: 10 } }],
  }));
  return scriptedModel([...calls, 'Done.']);
}

function outcomeOf(record: RolloutRecord | undefined): string {
  if (record === undefined) return 'no record';
  return record.status === 'completed' ? String(record.reward.reward) : record.errored.cause;
}

describe.runIf(isExpected('bubblewrap')).each([
  ['go', [...HOSTILE_ANSWERS, ...HOSTILE_FLOODS]],
  ['sh', HOSTILE_ANSWERS.filter(({ name }) => DIFFERENT_UNDER_SH.includes(name))],
] as const)('a hostile rollout in bubblewrap, supervisor %s', (supervisor, answers) => {
  let played: Played;
  beforeAll(async () => {
    played = await play([...HONEST, ...answers], supervisor);
  }, PLAY_LIMIT_MS + 30_000);

  it.each(answers)('is never passed: $name', ({ name, outcome = '0', outcomeUnderSh }) => {
    const expected = (supervisor === 'sh' ? outcomeUnderSh : undefined) ?? outcome;
    const record = played.records.find(({ identity }) => identity.itemId === name);
    expect(outcomeOf(record), JSON.stringify(record, null, 1)).toBe(expected);
  });

  it('leaves the trials before and after it alone', () => {
    const honest = played.records.filter(({ identity }) => identity.itemId.includes('honest'));
    expect(honest.map(outcomeOf)).toEqual(['1', '1']);
    expect(played.summary.passed).toBe(2);
  });
});
