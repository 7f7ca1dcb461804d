import type { AgentResult, Message, RolloutRecord, SegmentReason } from '@hermes/protocol';
import { type WireTokens, wireTokens } from './wire-tokens.ts';

/** Nothing that may be trained on. */
type NoTokens = Readonly<Record<keyof WireTokens, null>>;

/** The score, or why there is none: an errored rollout has no reward, which is not the same as 0. */
export type WireOutcome = Readonly<
  | { reward: number; rewards: Readonly<Record<string, number>>; error: null }
  | {
      reward: null;
      rewards: null;
      error: Readonly<{ reason: string; cause: string; message: string }>;
    }
>;

/** A rollout as a caller reads it. The tokens at its top are those of the last segment. */
export type WireRollout = WireOutcome &
  (WireTokens | NoTokens) &
  Readonly<{
    rollout_id: string;
    item_id: string;
    status: RolloutRecord['status'];
    /** null = the agent never started. */
    finish_reason: AgentResult['stopReason'] | null;
    num_turns: number;
    /** Of the agent, its tools included. */
    agent_seconds: number;
    verify_seconds: number;
    trainable: boolean;
    segments: readonly (WireTokens & Readonly<{ opened_because: SegmentReason }>)[];
    messages: readonly Message[];
  }>;

/** An errored rollout shows no tokens: nothing of it may be trained on. */
export function wireRollout(record: RolloutRecord): WireRollout {
  const trainable = record.trainable && record.status === 'completed';
  const kept = trainable ? record.segments : [];
  const segments = kept.map((segment) => ({
    ...wireTokens(segment),
    opened_because: segment.openedBecause,
  }));
  const last = kept.at(-1);
  return {
    rollout_id: record.rolloutId,
    item_id: record.identity.itemId,
    status: record.status,
    ...outcomeOf(record),
    finish_reason: record.agent?.stopReason ?? null,
    num_turns: record.agent?.turnsUsed ?? 0,
    agent_seconds: record.timings.agentMs / 1000,
    verify_seconds: record.timings.verifyMs / 1000,
    trainable,
    ...(last === undefined ? NO_TOKENS : wireTokens(last)),
    segments,
    messages: record.agent?.messages ?? [],
  };
}

export function outcomeOf(record: RolloutRecord): WireOutcome {
  if (record.status === 'completed') {
    const { reward, rewards } = record.reward;
    return { reward, rewards, error: null };
  }
  const { reason, cause, error } = record.errored;
  return { reward: null, rewards: null, error: { reason, cause, message: error.message } };
}

const NO_TOKENS: NoTokens = {
  prompt_ids: null,
  response_ids: null,
  response_mask: null,
  logprobs: null,
  weight_versions: null,
};
