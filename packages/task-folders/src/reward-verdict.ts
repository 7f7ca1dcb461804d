import type { Verdict } from '@hermes/env-core';
import type { ErroredCauses, JsonObject } from '@hermes/protocol';
import { primaryReward } from './primary-reward.ts';
import type { FoundReward } from './read-reward.ts';
import type { VerifierEnd } from './run-verifier.ts';
import type { TaskFolder } from './types.ts';
import { setupFailureLine } from './verifier-setup-failure.ts';

/** What the end of the tests and the reward file that they wrote come to. */
export function rewardVerdict(
  folder: TaskFolder,
  end: VerifierEnd,
  { parsed }: FoundReward,
  rewardKey: string | null,
  details: JsonObject,
): Verdict {
  const primary = parsed.ok ? primaryReward(parsed.rewards, rewardKey) : null;
  const setupFailure = folder.installsTools ? setupFailureLine(end.log) : null;
  if (setupFailure !== null && (primary === null || primary.reward === 0))
    return couldNotScore('verifier_setup', setupMessage(setupFailure), details);
  if (!parsed.ok) return couldNotScore(parsed.cause, `${parsed.message}${exitOf(end)}`, details);
  return rewarded(parsed.rewards, rewardKey, details);
}

function rewarded(
  rewards: Readonly<Record<string, number>>,
  rewardKey: string | null,
  details: JsonObject,
): Verdict {
  const { reward, warning } = primaryReward(rewards, rewardKey);
  const base = { kind: 'reward', reward, rewards, resolved: reward >= 1 } as const;
  if (warning === null) return { ...base, details };
  return { ...base, details: { ...details, warning }, marks: ['reward_mean'] };
}

/** Why there is no reward. */
export function couldNotScore(
  cause: ErroredCauses['verifier'],
  message: string,
  details: JsonObject = {},
): Verdict {
  return { kind: 'could_not_score', cause, message, details };
}

function setupMessage(line: string): string {
  return `the verifier could not install its tools (${line}): give the sandbox network, or use verifierShim`;
}

function exitOf({ exitCode }: VerifierEnd): string {
  return exitCode === null ? '' : ` (test.sh ended with ${exitCode})`;
}
