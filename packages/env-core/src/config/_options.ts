import type { AgentLimits } from '@hermes/agent-loop';
import type { Sampling } from '@hermes/protocol';
import type { TrialLimits } from '../environment.ts';
import type { SchedulerLimits } from '../run-options.ts';
import type { ConfiguredOptions } from './load-run-config.ts';
import type { EnvSettings } from './sections.ts';

/** The part of a run's options that section `env` decides. */
export function optionsOf(env: EnvSettings): ConfiguredOptions {
  return {
    sampling: samplingOf(env),
    limits: limitsOf(env),
    toolLimits: {
      commandTimeoutMs: env.terminalTimeoutMs,
      maxForegroundMs: env.maxForegroundMs,
      resultChars: env.resultChars,
      turnChars: env.turnChars,
      previewChars: env.previewChars,
      ...(env.toolResultOverrides === null ? {} : { perTool: env.toolResultOverrides }),
    },
    scheduler: { toolCalls: env.toolPoolSize, ...placesOf(env.concurrency) },
    sandboxDefaults: {
      idleMs: env.terminalIdleMs,
      ...(Object.keys(env.containerLimits).length === 0 ? {} : { resources: env.containerLimits }),
    },
    retry: { maxTries: env.maxTries },
    ...(env.systemPrompt === null ? {} : { systemPrompt: env.systemPrompt }),
    ...(env.extraBody === null ? {} : { extraBody: env.extraBody }),
  };
}

/** Rollouts at a time, and of what each of them needs as many; null: as the scheduler has it. */
function placesOf(rollouts: number | null): Partial<SchedulerLimits> {
  return rollouts === null ? {} : { rollouts, sandboxCreates: rollouts, verifiers: rollouts };
}

function samplingOf(env: EnvSettings): Sampling {
  return known({
    temperature: env.agentTemperature,
    maxTokens: env.maxTokenLength,
    topP: env.topP,
    topK: env.topK,
    minP: env.minP,
    seed: env.samplingSeed,
    stop: env.stop,
    frequencyPenalty: env.frequencyPenalty,
    presencePenalty: env.presencePenalty,
    repetitionPenalty: env.repetitionPenalty,
  });
}

function limitsOf(env: EnvSettings): TrialLimits {
  const agent: AgentLimits = known({
    maxTurns: env.maxAgentTurns,
    maxTotalTokens: env.maxTotalTokens,
    maxOutputTokens: env.maxOutputTokens,
    maxCostUsd: env.maxCostUsd,
    deadlineMs: env.agentTimeoutMs,
  });
  return { agent, ...known({ rolloutMs: env.rolloutTimeoutMs }) };
}

/** Without the settings that are null: what nobody set is absent. */
function known<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], null> } {
  const entries = Object.entries(values).filter(([, value]) => value !== null);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], null> };
}
