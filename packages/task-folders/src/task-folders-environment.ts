import { createHash } from 'node:crypto';
import type { Environment, EnvironmentContext, Item, TrialLimits } from '@hermes/env-core';
import { HermesError } from '@hermes/protocol';
import { fileToolset, terminalToolset } from '@hermes/tools';
import { computeReward } from './compute-reward.ts';
import { verifierNeeds } from './fresh-root.ts';
import { handOver } from './hand-over.ts';
import { resolveVariables } from './resolve-variables.ts';
import { sandboxNeeds } from './sandbox-needs.ts';
import { setupWorkspace } from './setup-workspace.ts';
import { taskSolution } from './task-solution.ts';
import type { TaskFolder, TaskFoldersConfig } from './types.ts';

const OVERHEAD_MS = 120_000;
const DEFAULT_START_MS = 600_000;

/** The configuration without the place of the tasks. */
export type GradingConfig = Omit<TaskFoldersConfig, 'path'>;

/** The environment of a list of read task folders. */
export function createTaskFoldersEnvironment(
  folders: readonly TaskFolder[],
  config: GradingConfig,
  context: EnvironmentContext,
): Environment<TaskFolder> {
  const factor = config.timeoutMultiplier ?? 1;
  const variables = context.variables ?? {};
  const resolve = (folder: TaskFolder, values: TaskFolder['env']): Record<string, string> =>
    resolveVariables(values, variables, folder.name);
  return {
    datasetRevision: revisionOf(folders),
    toolsets: [terminalToolset(), fileToolset()],
    marks: marksOf(config),
    async *items({ start }) {
      for (const folder of folders.slice(start)) yield toItem(folder);
    },
    prompt: ({ data }) => [{ role: 'user', content: usable(data).instruction }],
    sandbox: ({ data }, capabilities) =>
      sandboxNeeds(usable(data), capabilities, resolve(data, data.env)),
    verifierSandbox: ({ data }, capabilities) =>
      verifierNeeds(data, capabilities, sandboxNeeds(data, capabilities, resolve(data, data.env))),
    handOver: async ({ data }, agent, verifier, signal) => {
      await handOver(data, agent, verifier, signal);
      return { agentGoesOn: data.grading.processes === 'keep' };
    },
    limits: ({ data }) => limitsOf(data, factor),
    setupWorkspace: ({ data }, tools, signal) =>
      setupWorkspace(data, tools, context.effects.clock, signal),
    computeReward: ({ data }, _result, tools) =>
      computeReward(data, tools, {
        rewardKey: config.rewardKey ?? null,
        verifierShim: config.verifierShim ?? false,
        verifierTimeoutMs: data.verifierTimeoutMs * factor,
        verifierEnv: resolve(data, data.verifierEnv),
      }),
    solution: ({ data }) => taskSolution(data, resolve(data, data.solutionEnv)),
  };
}

function toItem(folder: TaskFolder): Item<TaskFolder> {
  return { id: folder.name, data: folder, tags: folder.tags };
}

/** A folder that could not be read is an item all the same: its trials are errored, with the place. */
function usable(folder: TaskFolder): TaskFolder {
  const problem = folder.problems.find(({ level }) => level === 'error');
  if (problem === undefined) return folder;
  throw new HermesError('environment', 'ITEM_INVALID', `${problem.place}: ${problem.message}`);
}

function revisionOf(folders: readonly TaskFolder[]): string {
  const hash = createHash('sha256');
  for (const { name, digest } of folders) hash.update(`${name} ${digest}\n`);
  return `sha256:${hash.digest('hex')}`;
}

function marksOf(config: GradingConfig): string[] {
  return [
    ...(config.verifierShim === true ? ['verifier_shim'] : []),
    ...((config.timeoutMultiplier ?? 1) === 1 ? [] : ['timeout_override']),
  ];
}

function agentTimeout(folder: TaskFolder, factor: number): number | null {
  return folder.agentTimeoutMs === null ? null : folder.agentTimeoutMs * factor;
}

/** The verifier's own time is kept by its command; the phase has room for upload and reading beside it. */
function limitsOf(folder: TaskFolder, factor: number): TrialLimits {
  const deadlineMs = agentTimeout(folder, factor);
  return {
    ...(deadlineMs === null ? {} : { agent: { deadlineMs } }),
    startMs: Math.max(DEFAULT_START_MS, folder.buildTimeoutMs * factor + OVERHEAD_MS),
    verifyMs: folder.verifierTimeoutMs * factor + OVERHEAD_MS,
  };
}
