import { callText, defaultScript } from '@hermes/automaton';
import type { CompletedRollout, TokenSegment } from '@hermes/protocol';
import { beforeAll, describe, expect, it } from 'vitest';
import { automatonFile, openEngine } from './_engine.ts';
import { playWithTools } from './_play-with-tools.ts';
import { type OpenedEngine, realServers } from './_real-engines.ts';
import { type EngineCall, recording } from './_recording-engine.ts';

const path = await automatonFile({
  ...defaultScript,
  calls: [
    { text: callText('terminal', { command: 'echo hello' }), weight: 1 },
    { text: callText('terminal', { command: "printf 'Grüße 😀 \\n'; false" }), weight: 1 },
  ],
  callAgain: 0.8,
});
/** Its forced pass says what is right, for every engine that serves the same weights. */
const referee = await openEngine(path);

const engines: Readonly<Record<string, () => Promise<OpenedEngine>>> = {
  'in this process': async () => ({ engine: referee.engine, close: async () => undefined }),
  ...Object.fromEntries(
    Object.entries(realServers).map(([name, open]) => [name, () => open(path)] as const),
  ),
};

describe.each(Object.entries(engines))('50 rollouts with tools %s', (_name, open) => {
  let rollouts: readonly CompletedRollout[] = [];
  let calls: readonly EngineCall[] = [];

  beforeAll(async () => {
    const { engine, close } = await open();
    try {
      const recorded = recording(engine);
      rollouts = await playWithTools(recorded.engine, referee.tokenizer, 5);
      calls = recorded.calls;
    } finally {
      await close();
    }
  }, 900_000);

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

  it('hold the ids that the engine was given and sampled, in that order and no others', () => {
    for (const { rolloutId, agent, segments } of rollouts) {
      const own = calls.filter((call) => call.rolloutId === rolloutId);
      expect(own).toHaveLength(agent?.turnsUsed ?? 0);
      const last = own.at(-1);
      expect(segments[0]?.ids).toEqual([
        ...(last?.promptIds ?? []),
        ...(last?.outputs[0]?.ids ?? []),
      ]);
      for (const { promptIds, outputs } of own)
        expectSampled(segments[0], promptIds.length, outputs[0]?.ids, outputs[0]?.logprobs);
    }
  });

  it('mask all that was not sampled and nothing that was', () => {
    for (const { rolloutId, segments } of rollouts) {
      const own = calls.filter((call) => call.rolloutId === rolloutId);
      const sampled = own.reduce((sum, { outputs }) => sum + (outputs[0]?.ids.length ?? 0), 0);
      const [segment] = segments;
      expect(segment?.mask.filter((value) => value !== -100)).toHaveLength(sampled);
      for (const [place, mask] of segment?.mask.entries() ?? [])
        expect(mask === -100 ? segment?.logprobs[place] : mask).toBe(
          mask === -100 ? 1 : segment?.ids[place],
        );
    }
  });

  it('have the log-probs that a forced pass over the ids gives', async () => {
    let compared = 0;
    for (const { segments } of rollouts)
      for (const segment of segments) compared += await compareWithForcedPass(segment);
    expect(compared).toBeGreaterThan(500);
  }, 120_000);
});

/** What one call sampled stands in the segment at its place. */
function expectSampled(
  segment: TokenSegment | undefined,
  start: number,
  ids: readonly number[] = [],
  logprobs: readonly number[] = [],
): void {
  expect(segment?.ids.slice(start, start + ids.length)).toEqual(ids);
  expect(segment?.mask.slice(start, start + ids.length)).toEqual(ids);
  expect(segment?.logprobs.slice(start, start + ids.length)).toEqual(logprobs);
}

async function compareWithForcedPass({ ids, mask, logprobs }: TokenSegment): Promise<number> {
  const scores = await referee.engine.score?.(ids, 0, new AbortController().signal);
  let compared = 0;
  for (const [place, value] of mask.entries()) {
    if (value === -100) continue;
    // A missing score would be a difference of more than 1.
    expect(Math.abs((scores?.[place]?.logprob ?? 1) - (logprobs[place] ?? -1))).toBeLessThan(1e-3);
    compared += 1;
  }
  return compared;
}
