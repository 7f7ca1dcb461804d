import type { CompletedRollout, TokenEngine } from '@hermes/protocol';
import {
  compareWithEngine,
  compareWithForcedPass,
  type EngineCall,
  playWithTools,
  realServers,
  recording,
  rolloutScript,
} from '@hermes/real-engines';
import { isExpected } from '@hermes/vitest-config/services';
import { beforeAll, describe, expect, it } from 'vitest';
import { automatonFile, openEngine } from './_engine.ts';

const path = await automatonFile(rolloutScript);
/** Its forced pass says what is right, for every engine that serves the same weights. */
const referee = await openEngine(path);

type OpenedEngine = Readonly<{ engine: TokenEngine; close(): Promise<void> }>;

const engines: readonly (readonly [string, () => Promise<OpenedEngine>])[] = [
  ['in this process', async () => ({ engine: referee.engine, close: async () => undefined })],
  ...realServers
    .filter(({ service }) => isExpected(service))
    .map(({ title, open }) => [`on ${title}`, () => open(path)] as const),
];

describe.each(engines)('50 rollouts with tools %s', (_name, open) => {
  let rollouts: readonly CompletedRollout[] = [];
  let calls: readonly EngineCall[] = [];

  beforeAll(async () => {
    const { engine, close } = await open();
    try {
      const recorded = recording(engine);
      rollouts = await playWithTools(recorded.engine, referee.tokenizer, 50);
      calls = recorded.calls;
    } finally {
      await close();
    }
  }, 900_000);

  const compared = () => compareWithEngine(rollouts.map(asPlayed), calls);

  it('are all trainable, and at least 20 have four turns and more', () => {
    expect(rollouts).toHaveLength(50);
    expect(rollouts.every(({ trainable }) => trainable)).toBe(true);
    const long = rollouts.filter(({ agent }) => (agent?.turnsUsed ?? 0) >= 4);
    expect(long.length).toBeGreaterThanOrEqual(20);
    expect(new Set(rollouts.map(({ reward }) => reward.reward))).toEqual(new Set([0, 1]));
  });

  it('stay one segment each: every turn goes on where the engine ended', () => {
    for (const { segments } of rollouts)
      expect(segments.map(({ openedBecause }) => openedBecause)).toEqual(['start']);
  });

  it('hold the ids and log-probs that the engine was given and sampled, in that order and no others', () => {
    expect(compared()).toMatchObject({ segments: 50, playedOtherwise: 0 });
  });

  it('mask all that was not sampled and nothing that was', () => {
    expect(compared()).toMatchObject({ idsMaskedWrongly: 0 });
  });

  it('have the log-probs that a forced pass over the ids gives', async () => {
    const segments = rollouts.flatMap((rollout) => rollout.segments);
    const forced = await compareWithForcedPass(segments, referee.engine);
    expect(forced.compared).toBe(compared().sampledIds);
    expect(forced.compared).toBeGreaterThan(500);
    expect(forced.greatestDifference).toBeLessThan(1e-3);
  }, 120_000);
});

function asPlayed({ rolloutId, agent, segments }: CompletedRollout) {
  return { id: rolloutId, turns: agent?.turnsUsed ?? 0, segments };
}
