import type { Environment, Solution, Verdict } from '@hermes/env-core';
import type { RolloutRecord } from '@hermes/protocol';
import { fileToolset, terminalToolset } from '@hermes/tools';
import { closedNetwork } from '../data/closed-network.ts';
import type { Problems } from '../data/read-problems.ts';
import { readResultFile } from './read-result-file.ts';
import type { TerminalTask } from './read-terminal-row.ts';

/** The environment of read tasks. Every rollout has a sandbox, and so a home folder, of its own. */
export function createTerminalTestEnvironment({
  revision,
  items,
}: Problems<TerminalTask>): Environment<TerminalTask> {
  return {
    datasetRevision: revision,
    toolsets: [terminalToolset(), fileToolset()],
    items,
    prompt: ({ data }) => [{ role: 'user', content: data.prompt }],
    sandbox: (_item, capabilities) => ({
      ...closedNetwork(capabilities),
      commands: ['sh'],
      capabilities: { shell: true },
    }),
    async computeReward({ data }, _result, tools) {
      const found = await readResultFile(tools, data.path);
      return found.ok ? verdictOf(found.text.trim(), data.expected) : scored(0, found.why);
    },
    solution: async ({ data }) => solutionOf(data),
    aggregate: metricsOf,
  };
}

function verdictOf(actual: string, expected: string): Verdict {
  if (actual === expected) return scored(1, 'exact');
  return actual.includes(expected) ? scored(0.5, 'contained') : scored(0, 'different');
}

function scored(reward: number, match: string): Verdict {
  return {
    kind: 'reward',
    reward,
    rewards: { reward },
    resolved: reward === 1,
    details: { match },
  };
}

function solutionOf({ path, expected }: TerminalTask): Solution {
  const place = path.replace(/^~\//, '');
  const command = `cd && mkdir -p -- "$(dirname -- ${quoted(place)})" && printf '%s\\n' ${quoted(expected)} > ${quoted(place)}`;
  const call = { name: 'terminal', arguments: { command } };
  return {
    turns: [
      { content: '', calls: [call] },
      { content: 'Done.', calls: [] },
    ],
  };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function metricsOf(records: readonly RolloutRecord[]): Readonly<Record<string, number>> {
  const rewards = records.flatMap((record) =>
    record.status === 'completed' ? [record.reward.reward] : [],
  );
  if (rewards.length === 0) return {};
  const share = (wanted: number): number =>
    rewards.filter((reward) => reward === wanted).length / rewards.length;
  return { accuracy: share(1), partial_match_rate: share(0.5) };
}
