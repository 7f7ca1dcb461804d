import type { Environment, Solution, Verdict } from '@hermes/env-core';
import type { AgentResult, RolloutRecord } from '@hermes/protocol';
import { fileToolset, terminalToolset } from '@hermes/tools';
import { compareAnswers } from '../answers/compare-answers.ts';
import { closedNetwork } from '../data/closed-network.ts';
import { finalText } from '../data/final-text.ts';
import type { Problems } from '../data/read-problems.ts';
import type { WordProblem } from './read-gsm8k-row.ts';

const INSTRUCTION =
  'Work it out step by step. Give the final answer as one number inside \\boxed{}.';

/** The environment of read problems: a plain chat, or with tools in a sandbox. */
export function createGsm8kEnvironment(
  { revision, items }: Problems<WordProblem>,
  { tools }: { readonly tools: boolean },
): Environment<WordProblem> {
  return {
    datasetRevision: revision,
    toolsets: tools ? [terminalToolset(), fileToolset()] : [],
    ...(tools ? { sandbox: (_item, capabilities) => closedNetwork(capabilities) } : {}),
    items,
    prompt: ({ data }) => [{ role: 'user', content: `${data.question}\n\n${INSTRUCTION}` }],
    computeReward: async ({ data }, result) => judge(data, result),
    solution: async ({ data }) => solutionOf(data),
    ...(tools ? { aggregate: toolUse } : {}),
  };
}

function judge({ gold }: WordProblem, result: AgentResult): Verdict {
  const { isEqual, tier, unsure, answer } = compareAnswers(gold, finalText(result));
  const reward = isEqual ? 1 : 0;
  const details = { answer, gold, tier, unsure };
  return { kind: 'reward', reward, rewards: { reward }, resolved: isEqual, details };
}

function solutionOf({ working, gold }: WordProblem): Solution {
  return { turns: [{ content: `${working}\n\n\\boxed{${gold}}`.trim(), calls: [] }] };
}

/** The share of completed rollouts that used a tool: models also answer right without. */
function toolUse(records: readonly RolloutRecord[]): Readonly<Record<string, number>> {
  const completed = records.filter((record) => record.status === 'completed');
  const using = completed.filter(({ agent }) => (agent?.toolCalls.attempted ?? 0) > 0);
  return completed.length === 0 ? {} : { tool_use_rate: using.length / completed.length };
}
