import { zeroUsage } from '@hermes/agent-loop';
import type { ChatEvent, ChatModel, ChatResult, ToolCall } from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';
import type { Solution } from './environment.ts';
import type { OpenModel, OpenModelRequest } from './run-options.ts';

/** Plays the item's own solution, one turn a call. A full score is the proof that task and verifier fit together. */
export const openOracle: OpenModel = Object.assign(
  async (rollout: OpenModelRequest): Promise<ChatModel> => {
    const solution = await rollout.solution();
    if (solution === null) throw noSolution(rollout.identity.itemId);
    return playTurns('oracle', solution.turns);
  },
  { playsSolution: true },
);

/** Answers at once and does nothing: whatever it scores, the verifier gives away. */
export const openNoop: OpenModel = () => playTurns('noop', []);

type Turn = Solution['turns'][number];

const LAST_TURN: Turn = { content: 'Nothing more to do.', calls: [] };

function playTurns(name: string, turns: readonly Turn[]): ChatModel {
  let played = 0;
  return {
    specificationVersion: 'v1',
    provider: name,
    modelId: name,
    capabilities: {
      tokenIds: false,
      images: true,
      toolChoice: false,
      streaming: false,
      contextTokens: null,
    },
    async *chat(): AsyncGenerator<ChatEvent> {
      const turn = turns[played] ?? LAST_TURN;
      played += 1;
      yield { type: 'result', result: resultOf(name, turn, played) };
    },
  };
}

function resultOf(name: string, turn: Turn, turnNumber: number): ChatResult {
  const calls = turn.calls.map((call, index) => toolCall(call, `call_${turnNumber}_${index}`));
  return {
    message: {
      role: 'assistant',
      content: turn.content,
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    },
    finishReason: calls.length > 0 ? 'tool_calls' : 'stop',
    responseId: null,
    modelId: name,
    usage: zeroUsage,
    costUsd: 0,
    tokens: null,
    notes: [],
  };
}

function toolCall(call: Turn['calls'][number], id: string): ToolCall {
  return {
    id,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  };
}

function noSolution(itemId: string): HermesError {
  return new HermesError(
    'environment',
    'SOLUTION_MISSING',
    `The item ${itemId} has no solution that the oracle could play`,
  );
}
