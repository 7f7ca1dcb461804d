import type { ConfigFields } from './_fields.ts';
import { type AgentSettings, agentKeys } from './agent-keys.ts';
import { type BudgetSettings, budgetKeys } from './budget-keys.ts';
import { type GroupSettings, groupKeys } from './group-keys.ts';
import { type SamplingSettings, samplingKeys } from './sampling-keys.ts';
import { type SandboxSettings, sandboxKeys } from './sandbox-keys.ts';
import { serverKeys } from './server-keys.ts';
import { trackingKeys } from './tracking-keys.ts';
import { type TrainerSettings, trainerKeys } from './trainer-keys.ts';
import { unreadKeys } from './unread-keys.ts';

/** Section `env`: what holds for every environment. */
export type EnvSettings = AgentSettings & SamplingSettings & BudgetSettings & SandboxSettings;

/** Section `env`: how groups are made, written down, and sent to a trainer. */
export type TrainingSettings = GroupSettings & TrainerSettings;

/** The keys of section `env` that are there for every environment, in the order of the documentation. */
export const envFields: ConfigFields = {
  ...agentKeys.fields,
  ...samplingKeys.fields,
  ...budgetKeys.fields,
  ...sandboxKeys.fields,
  ...groupKeys.fields,
  ...trainerKeys.fields,
  ...trackingKeys.fields,
  ...unreadKeys.fields,
};

/** The keys of one server of section `openai`. */
export const serverFields: ConfigFields = serverKeys.fields;

/** The settings of section `env`, of all its parsed values. */
export function envSettingsOf(values: Readonly<Record<string, unknown>>): EnvSettings {
  return {
    ...agentKeys.settingsOf(values),
    ...samplingKeys.settingsOf(values),
    ...budgetKeys.settingsOf(values),
    ...sandboxKeys.settingsOf(values),
  };
}

/** The same of groups and the trainer. */
export function trainingSettingsOf(values: Readonly<Record<string, unknown>>): TrainingSettings {
  return { ...groupKeys.settingsOf(values), ...trainerKeys.settingsOf(values) };
}
