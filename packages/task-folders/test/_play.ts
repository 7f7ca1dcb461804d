import { join } from 'node:path';
import { createEffects, evaluate, type RunSummary } from '@hermes/env-core';
import type { RolloutRecord } from '@hermes/protocol';
import { scriptedModel } from '@hermes/protocol/testing';
import type { SandboxProvider } from '@hermes/sandbox';
import { taskFolders } from '../src/index.ts';
import { temporaryFolder, writeTask } from './_make-task.ts';

/** No play of a test takes longer; what still runs then is cancelled. */
export const PLAY_LIMIT_MS = 240_000;

/** A task, and the commands of the `terminal` tool with which a model answers it, one a turn. */
export type Answered = Readonly<{
  name: string;
  commands: readonly string[];
  /** Files of the task beside the usual ones. */
  task?: Readonly<Record<string, string>>;
}>;

/** What came of it. */
export type Played = Readonly<{ records: readonly RolloutRecord[]; summary: RunSummary }>;

const WANTS_HELLO = {
  'instruction.md': 'Write hello into /app/out.txt.\n',
  'environment/Dockerfile': 'ARG BASE=debian\nFROM ${BASE}\nWORKDIR /app\n',
  'tests/test.sh':
    'if [ "$(cat out.txt 2>/dev/null)" = hello ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt\n',
};

/** Plays tasks that want `hello` in `out.txt`, unless they bring their own verifier, with those answers. */
export async function play(
  answered: readonly Answered[],
  sandboxes: SandboxProvider,
): Promise<Played> {
  const path = await temporaryFolder();
  for (const { name, task } of answered)
    await writeTask(join(path, name), { ...WANTS_HELLO, ...task });
  const effects = createEffects();
  const { signal } = new AbortController();
  const records: RolloutRecord[] = [];
  const summary = await evaluate({
    definition: { id: 'tasks', version: '1', configDigest: 'test' },
    environment: await taskFolders.open({ path }, { effects, signal, judge: null }),
    model: {
      provider: 'test',
      modelId: 'test',
      open: ({ identity }) => answering(answered, identity.itemId),
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

function answering(answered: readonly Answered[], itemId: string) {
  const commands = answered.find(({ name }) => name === itemId)?.commands ?? [];
  const calls = commands.map((command) => ({
    calls: [{ name: 'terminal', arguments: { command, timeout: 10 } }],
  }));
  return scriptedModel([...calls, 'Done.']);
}

/** The reward, or why there is none. */
export function outcomeOf(record: RolloutRecord | undefined): string {
  if (record === undefined) return 'no record';
  return record.status === 'completed' ? String(record.reward.reward) : record.errored.cause;
}
