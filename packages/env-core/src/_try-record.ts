import { unknownUsage, zeroUsage } from '@hermes/agent-loop';
import type { Errored, Reward, RolloutBase, RolloutRecord, Usage } from '@hermes/protocol';
import type { TryState } from './_try-state.ts';
import { priceOf } from './price-of.ts';

/** How a try ended. */
export type Outcome = Readonly<{ reward: Reward } | { errored: Errored }>;

/** All that is known of a try, as the one record of it. */
export function recordOf(state: TryState<unknown>, outcome: Outcome): RolloutRecord {
  const base = baseOf(state);
  if ('reward' in outcome) return { ...base, status: 'completed', reward: outcome.reward };
  return { ...base, status: 'errored', errored: outcome.errored };
}

function baseOf(state: TryState<unknown>): RolloutBase {
  const { context, trial, agent, segments } = state;
  const usage = usageOf(state);
  return {
    v: 1,
    runId: context.runId,
    rolloutId: state.rolloutId,
    trialKey: trial.trialKey,
    identity: trial.identity,
    groupId: trial.groupId,
    itemIndex: trial.itemIndex,
    tags: trial.item.tags ?? {},
    split: trial.split,
    agent,
    agentTimedOut: state.agentTimedOut,
    segments,
    trainable: segments.length > 0 && segments.every((segment) => segment.source === 'engine'),
    toolsets: state.toolsetNames,
    usage,
    costUsd: costOf(state, usage),
    timings: {
      startedAt: state.startedAt,
      endedAt: context.effects.clock.now(),
      ...state.timings,
    },
    tries: state.earlier,
    sandboxes: state.reports,
    seeds: trial.seeds,
    versions: state.versions,
    marks: [...state.marks].sort(),
  };
}

/** Without an agent result nothing was used, unless the loop was already asked. */
function usageOf(state: TryState<unknown>): Usage {
  return state.agent?.usage ?? (state.modelAsked ? unknownUsage : zeroUsage);
}

function costOf(state: TryState<unknown>, usage: Usage): number | null {
  if (!state.modelAsked) return 0;
  const told = state.agent?.costUsd ?? null;
  const { prices, model } = state.context.options;
  return told ?? priceOf(usage, model.modelId, prices);
}
