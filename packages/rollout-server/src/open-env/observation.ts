import { isDeepStrictEqual } from 'node:util';
import type { ChatRequest, Message, RolloutRecord, ToolSchema } from '@hermes/protocol';
import { outcomeOf } from '../rollouts/wire-rollout.ts';

/** What a trainer is shown after a reset or a step. */
export type Observation = Readonly<{
  observation: Readonly<{
    episode_id: string;
    item_id: string;
    /** Those that came since the last action; all of them where `history_rewritten`. */
    messages: readonly Message[];
    /** The conversation does not go on where it stood: a compaction, or a subagent with its own. */
    history_rewritten: boolean;
    tools: readonly ToolSchema[];
    /** Why there is no reward; null = none of that. */
    error: Readonly<{ reason: string; cause: string; message: string }> | null;
    rewards: Readonly<Record<string, number>> | null;
  }>;
  /** null until the end, and at the end of a rollout that could not be scored. */
  reward: number | null;
  done: boolean;
}>;

type EpisodeNames = Readonly<{ episode_id: string; item_id: string }>;

/** known: the conversation as the trainer has it, its own last answer included. */
export function observationOf(
  names: EpisodeNames,
  { messages, tools = [] }: ChatRequest,
  known: readonly Message[],
): Observation {
  const goesOn = isDeepStrictEqual(messages.slice(0, known.length), known);
  return {
    observation: {
      ...names,
      messages: goesOn ? messages.slice(known.length) : messages,
      history_rewritten: !goesOn,
      tools,
      error: null,
      rewards: null,
    },
    reward: null,
    done: false,
  };
}

/** With what came after the last answer, such as results of tools that the agent's limit of turns cut off. */
export function lastObservationOf(names: EpisodeNames, record: RolloutRecord): Observation {
  const { reward, rewards, error } = outcomeOf(record);
  const messages = record.agent?.messages ?? [];
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  return {
    observation: {
      ...names,
      messages: last === -1 ? [] : messages.slice(last + 1),
      history_rewritten: false,
      tools: [],
      error,
      rewards,
    },
    reward,
    done: true,
  };
}
