import { join } from 'node:path';
import type { Verdict } from '@hermes/env-core';
import type { JsonObject } from '@hermes/protocol';
import { SandboxError } from '@hermes/sandbox';
import type { ToolContext } from '@hermes/tools';
import { primaryReward } from './primary-reward.ts';
import { readCtrf } from './read-ctrf.ts';
import { type FoundReward, readReward } from './read-reward.ts';
import { logTail, runVerifier, type VerifierEnd } from './run-verifier.ts';
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
  const setupFailure = setupFailureLine(end.log);
  const primary = parsed.ok ? primaryReward(parsed.rewards, rewardKey) : null;
  if (setupFailure !== null && (primary?.reward ?? 0) === 0)
    return {
      kind: 'could_not_score',
      cause: 'verifier_setup',
      message: setupMessage(setupFailure),
      details,
    };
  if (!parsed.ok || primary === null)
    return { kind: 'could_not_score', ...failureOf(parsed, end), details };
  const { reward, warning } = primary;
  const base = { kind: 'reward', reward, rewards: parsed.rewards, resolved: reward >= 1 } as const;
  if (warning === null) return { ...base, details };
  return { ...base, details: { ...details, warning }, marks: ['reward_mean'] };
}

function setupMessage(line: string): string {
  return `the verifier could not install its tools (${line}): give the sandbox network, or use verifierShim`;
}

function failureOf(parsed: FoundReward['parsed'], end: VerifierEnd) {
  if (parsed.ok) return { cause: 'reward_missing', message: 'no reward' } as const;
  const exit = end.exitCode === null ? '' : ` (test.sh ended with ${end.exitCode})`;
  return { cause: parsed.cause, message: `${parsed.message}${exit}` };
}
