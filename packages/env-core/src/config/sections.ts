import type { ConfigFields } from './_fields.ts';
import { type AgentSettings, agentKeys } from './agent-keys.ts';
import { type BudgetSettings, budgetKeys } from './budget-keys.ts';
import { type SamplingSettings, samplingKeys } from './sampling-keys.ts';
import { type SandboxSettings, sandboxKeys } from './sandbox-keys.ts';
import { serverKeys } from './server-keys.ts';
import { trackingKeys } from './tracking-keys.ts';
import { trainingKeys } from './training-keys.ts';

/** Section `env`: what holds for every environment. */
export type EnvSettings = AgentSettings & SamplingSettings & BudgetSettings & SandboxSettings;

/** The keys of section `env` that are there for every environment, in the order of the documentation. */
export const envFields: ConfigFields = {
  ...agentKeys.fields,
  ...samplingKeys.fields,
  ...budgetKeys.fields,
  ...sandboxKeys.fields,
  ...trainingKeys.fields,
  ...trackingKeys.fields,
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
