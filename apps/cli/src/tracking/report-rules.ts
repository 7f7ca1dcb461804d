import type { TrainingReportRules } from '@hermes/env-core';
import type { OpenedRun } from '../open-run.ts';

/** What a run tells of its groups. Secrets are left in: files of this machine keep the original text, and for services the tracker takes them out. */
export function reportRules({ config, chosen }: OpenedRun): TrainingReportRules {
  const { rolloutsPerGroup, rolloutsToKeep } = config.training;
  return {
    rolloutsPerGroup,
    rolloutsToKeep,
    ...(chosen.stats === undefined ? {} : { more: chosen.stats }),
  };
}
