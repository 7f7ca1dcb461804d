import { join } from 'node:path';
import type { Verdict } from '@hermes/env-core';
import type { ErroredCauses, JsonObject } from '@hermes/protocol';
import { SandboxError } from '@hermes/sandbox';
import type { ToolContext } from '@hermes/tools';
import { primaryReward } from './primary-reward.ts';
import { readCtrf } from './read-ctrf.ts';
import { type FoundReward, readReward } from './read-reward.ts';
import { logTail, runVerifier, type VerifierEnd } from './run-verifier.ts';
import { stopProcesses } from './stop-processes.ts';
import type { TaskFolder } from './types.ts';
import {
  prepareVerifierPlaces,
  removeVerifierPlaces,
  type VerifierPlaces,
} from './verifier-places.ts';
import { setupFailureLine } from './verifier-setup-failure.ts';
import { SHIM_PRELUDE } from './verifier-shim.ts';

/** What a run decides about grading. */
export type GradingOptions = Readonly<{
  rewardKey: string | null;
  verifierShim: boolean;
  verifierTimeoutMs: number;
  verifierEnv: Readonly<Record<string, string>>;
}>;

/** Grades what the sandbox holds: fresh folders, tests uploaded, test.sh run, reward file read. The exit code never decides. */
export async function computeReward(
  folder: TaskFolder,
  tools: ToolContext,
  options: GradingOptions,
): Promise<Verdict> {
  if (tools.sandbox === null)
    throw new SandboxError('UNSUPPORTED', 'request', `${folder.name} is graded in a sandbox`);
  const running = folder.stopsProcesses ? await stopProcesses(tools, tools.sandbox) : null;
  if (running !== null)
    return { kind: 'could_not_score', cause: 'verifier_setup', message: running };
  const prepared = await prepareVerifierPlaces(tools, tools.sandbox);
  if (!prepared.ok)
    return { kind: 'could_not_score', cause: 'verifier_setup', message: prepared.message };
  const { places } = prepared;
  try {
    return await grade(folder, tools, options, places);
  } finally {
    await removeVerifierPlaces(tools, places);
  }
}

async function grade(
  folder: TaskFolder,
  tools: ToolContext,
  options: GradingOptions,
  places: VerifierPlaces,
): Promise<Verdict> {
  const end = await runVerifier(tools, {
    testsSource: join(folder.dir, 'tests'),
    places,
    env: options.verifierEnv,
    user: folder.verifierUser,
    timeoutMs: options.verifierTimeoutMs,
    prelude: options.verifierShim ? SHIM_PRELUDE : '',
  });
  const details = endDetails(end);
  if (end.failure !== null) return { kind: 'could_not_score', ...end.failure, details };
  const found = await readReward(tools, places.verifierDir);
  const ctrf = await readCtrf(tools, places.verifierDir);
  const all = { ...details, rewardFile: found.file, ...(ctrf === null ? {} : { ctrf }) };
  return verdict(end, found, options.rewardKey, all);
}

function endDetails(end: VerifierEnd): JsonObject {
  return { exitCode: end.exitCode, stdoutTail: logTail(end.log), stdoutBytes: end.logBytes };
}

function verdict(
  end: VerifierEnd,
  { parsed }: FoundReward,
  rewardKey: string | null,
  details: JsonObject,
): Verdict {
  const primary = parsed.ok ? primaryReward(parsed.rewards, rewardKey) : null;
  const setupFailure = setupFailureLine(end.log);
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

function couldNotScore(
  cause: ErroredCauses['verifier'],
  message: string,
  details: JsonObject,
): Verdict {
  return { kind: 'could_not_score', cause, message, details };
}

function setupMessage(line: string): string {
  return `the verifier could not install its tools (${line}): give the sandbox network, or use verifierShim`;
}

function exitOf({ exitCode }: VerifierEnd): string {
  return exitCode === null ? '' : ` (test.sh ended with ${exitCode})`;
}
