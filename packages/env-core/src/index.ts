// What an author writes.

export type { DataPosition, GroupEntry, GroupLog } from './_group-log.ts';
export type { TrialPlace } from './_make-trial.ts';
// One attempt, for doors that start rollouts themselves.
export { makeTrial } from './_make-trial.ts';
export type { ChosenToolsets, ToolsetSettings, ToolsetSources } from './choose-toolsets.ts';
// Which tools a run has.
export { chooseToolsets } from './choose-toolsets.ts';
// Two runs side by side.
export type { PairedDifference, RunComparison, TaskCounts } from './compare-runs.ts';
export { compareRuns } from './compare-runs.ts';
// Configuration from YAML and flags.
export type { ConfigLayer, ConfigOverride, ConfigValues } from './config/_layers.ts';
export type { ConfigKey } from './config/config-keys.ts';
export { configKeys, ownConfigKeys } from './config/config-keys.ts';
export type { OwnConfigKey } from './config/explain-own-keys.ts';
export { explainOwnKeys } from './config/explain-own-keys.ts';
export type { ConfigValue } from './config/list-values.ts';
export type { ConfigSource, ConfiguredOptions, RunConfig } from './config/load-run-config.ts';
export { loadRunConfig } from './config/load-run-config.ts';
export type { RunCommand } from './config/run-command.ts';
export type { EnvSettings, TrainingSettings } from './config/sections.ts';
export type { ServerSettings } from './config/server-keys.ts';
export type { TrackingSettings } from './config/tracking-keys.ts';
export type { ValueSource } from './config/value-source.ts';
export { configDigest } from './config-digest.ts';
export { createEffects } from './create-effects.ts';
export { createLimiter } from './create-limiter.ts';
export type {
  ConfigSchema,
  Environment,
  EnvironmentContext,
  EnvironmentDefinition,
  Item,
  ItemQuery,
  SandboxNeeds,
  SchemaResult,
  Solution,
  TrialLimits,
  Verdict,
} from './environment.ts';
// Running.
export { evaluate } from './evaluate.ts';
export { priceOf } from './price-of.ts';
export { processRollouts } from './process-rollouts.ts';
export type {
  FinishedGroup,
  GroupCounts,
  GroupMember,
  ProcessRules,
  ProcessSummary,
} from './process-rules.ts';
export type { StoredRun } from './read-run.ts';
export { readRun } from './read-run.ts';
export { retrySelection } from './retry-selection.ts';
export type { RunDirectory, RunDirectoryOptions, RunFile } from './run-directory.ts';
// What a run leaves behind.
export { openRunDirectory } from './run-directory.ts';
export type { RolloutSink, RunEvent, RunSummary, TrialError } from './run-events.ts';
export type {
  ItemFilter,
  ModelPrice,
  OpenModel,
  OpenModelRequest,
  PriceTable,
  RetryPolicy,
  RunOptions,
  SchedulerLimits,
  Trial,
} from './run-options.ts';
export type { EvaluateOptions, RunPlan } from './run-plan.ts';
export { groupPlanOf, planOf } from './run-plan.ts';
export { runRollout } from './run-rollout.ts';
// Feeding a trainer.
export { serve } from './serve/serve.ts';
export type {
  EvaluationRules,
  GroupRules,
  ServeCounts,
  ServeRules,
  ServeSummary,
} from './serve/serve-rules.ts';
export { openNoop, openOracle } from './solution-models.ts';
export type { SummaryPlan } from './summarise.ts';
export { summarise } from './summarise.ts';
export type { TrainingLineKind } from './training/line-schemas.ts';
// Files of training data.
export { trainingLineSchema } from './training/line-schemas.ts';
export type {
  TrainingFile,
  TrainingFileCounts,
  TrainingFileOptions,
} from './training/training-file.ts';
export { freeTrainingPath, openTrainingFile } from './training/training-file.ts';
export type { TrainingFormat, TrainingLines } from './training/training-format.ts';
export type { TrainingReportRules } from './training-report-rules.ts';
export { trialKey } from './trial-key.ts';
