import type { ProcessRules } from '@hermes/env-core';
import type { ProcessFlags } from './process-flags.ts';

/** Which trajectories the flags ask for. */
export function keepRule({
  only,
  minReward = Number.NEGATIVE_INFINITY,
  maxReward = Number.POSITIVE_INFINITY,
}: ProcessFlags): NonNullable<ProcessRules['keep']> {
  return ({ reward: { reward, resolved } }) =>
    (only === undefined || resolved === (only === 'passed')) &&
    reward >= minReward &&
    reward <= maxReward;
}
