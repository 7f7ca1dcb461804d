import { type Environment, evaluate, type RunOptions, type RunSummary } from '@hermes/env-core';
import type { RolloutRecord } from '@hermes/protocol';
import { scriptedModel } from '@hermes/protocol/testing';
import type { SandboxProvider, SandboxSpec } from '@hermes/sandbox';

type Score = Environment<null>['computeReward'];

/** The records of finished trials, and of tries that were made again. */
export type Played = Readonly<{
  records: readonly RolloutRecord[];
  tried: readonly RolloutRecord[];
  summary: RunSummary;
}>;

/** One trial, whose model says one word, in a sandbox of this provider. score: what the verifier does there. */
export async function play(
  sandboxes: SandboxProvider,
  score: Score,
  needs: Pick<SandboxSpec, 'image' | 'resources'> = {},
  options: Pick<Partial<RunOptions<null>>, 'limits' | 'retry'> = {},
): Promise<Played> {
  const records: RolloutRecord[] = [];
  const tried: RolloutRecord[] = [];
  const summary = await evaluate({
    definition: { id: 'one', version: '1', configDigest: 'test' },
    environment: environmentOf(score, needs),
    model: { provider: 'test', modelId: 'test', open: () => scriptedModel(['Done.']) },
    sandboxes,
    sampling: {},
    sinks: [
      {
        record: async (record) => void records.push(record),
        tried: async (record) => void tried.push(record),
      },
    ],
    ...options,
    retry: { maxTries: 2, delayMs: () => 0, ...options.retry },
  });
  return { records, tried, summary };
}

function environmentOf(
  score: Score,
  needs: Pick<SandboxSpec, 'image' | 'resources'>,
): Environment<null> {
  return {
    datasetRevision: '1',
    toolsets: [],
    async *items() {
      yield { id: 'only', data: null };
    },
    prompt: () => [{ role: 'user', content: 'Say a word.' }],
    sandbox: () => needs,
    computeReward: score,
  };
}

/** The reward, or why there is none. */
export function outcomeOf(record: RolloutRecord | undefined): string {
  if (record === undefined) return 'no record';
  return record.status === 'completed' ? String(record.reward.reward) : record.errored.cause;
}
