import type { ConfigValues } from '@hermes/env-core';
import {
  agenticOpdKeys,
  endlessTerminalsKeys,
  sweKeys,
  sweSmithKeys,
  terminalBenchKeys,
  webResearchKeys,
  ycBenchKeys,
} from './announced-keys.ts';
import type { OwnKey } from './own-keys.ts';

/** An environment of another package: its configuration can be checked where that is not installed. */
export type AnnouncedEnvironment = Readonly<{
  id: string;
  packageName: string;
  /** What it adds to section `env`. */
  keys: Readonly<Record<string, OwnKey>>;
  defaults: ConfigValues;
}>;

/** An evaluation and nothing else. */
const benchmark = {
  group_size: 1,
  total_steps: 1,
  steps_per_eval: 1,
  ensure_scores_are_not_same: false,
};

const terminalBench = {
  ...benchmark,
  enabled_toolsets: ['terminal', 'file'],
  max_agent_turns: 60,
  max_token_length: 16_000,
  agent_temperature: 0.6,
  terminal_timeout: 300,
  concurrency: 8,
  dataset_name: 'NousResearch/terminal-bench-2',
};

/** In the order in which they are shown. */
export const announcedEnvironments: readonly AnnouncedEnvironment[] = [
  {
    id: 'terminal-bench-2',
    packageName: '@hermes/benchmarks',
    keys: terminalBenchKeys,
    defaults: { env: terminalBench },
  },
  {
    id: 'tblite',
    packageName: '@hermes/benchmarks',
    keys: terminalBenchKeys,
    defaults: {
      env: {
        ...terminalBench,
        agent_temperature: 0.8,
        dataset_name: 'NousResearch/openthoughts-tblite',
        task_timeout: 1200,
      },
    },
  },
  {
    id: 'yc-bench',
    packageName: '@hermes/benchmarks',
    keys: ycBenchKeys,
    defaults: {
      env: {
        ...benchmark,
        enabled_toolsets: ['terminal'],
        max_agent_turns: 200,
        max_token_length: 32_000,
        agent_temperature: 0,
        terminal_timeout: 60,
      },
    },
  },
  {
    id: 'swe',
    packageName: '@hermes/environments',
    keys: sweKeys,
    defaults: {
      env: {
        enabled_toolsets: ['terminal', 'file', 'web'],
        max_agent_turns: 30,
        max_token_length: 4096,
        agent_temperature: 1,
        dataset_name: 'bigcode/humanevalpack',
        dataset_split: 'test',
        prompt_field: 'prompt',
        group_size: 4,
        total_steps: 500,
        steps_per_eval: 50,
      },
    },
  },
  {
    id: 'swe-smith-oracle',
    packageName: '@hermes/environments',
    keys: sweSmithKeys,
    defaults: {
      env: { max_agent_turns: 50, agent_temperature: 0.7, max_token_length: 8192 },
    },
  },
  {
    id: 'agentic-opd',
    packageName: '@hermes/environments',
    keys: agenticOpdKeys,
    defaults: { env: { max_agent_turns: 15, group_size: 4 } },
  },
  {
    id: 'web-research',
    packageName: '@hermes/environments',
    keys: webResearchKeys,
    defaults: { env: { enabled_toolsets: ['web', 'file'], max_agent_turns: 15 } },
  },
  {
    id: 'endless-terminals',
    packageName: '@hermes/environments',
    keys: endlessTerminalsKeys,
    defaults: { env: { max_agent_turns: 32, group_size: 8, total_steps: 10_000 } },
  },
];
