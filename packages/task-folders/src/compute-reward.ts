import { join } from 'node:path';
import type { Verdict } from '@hermes/env-core';
import type { JsonObject } from '@hermes/protocol';
import { type Sandbox, SandboxError } from '@hermes/sandbox';
import type { ToolContext } from '@hermes/tools';
import { hasFreshRoot } from './fresh-root.ts';
import { NOT_CARRIED_FILE } from './hand-over.ts';
import { PYTHON_PRELUDE } from './python-guard.ts';
import { readCtrf } from './read-ctrf.ts';
import { readReward } from './read-reward.ts';
import { couldNotScore, rewardVerdict } from './reward-verdict.ts';
import { logTail, runVerifier, type VerifierEnd } from './run-verifier.ts';
import { settleVerifier, stopProcesses } from './stop-processes.ts';
import type { TaskFolder } from './types.ts';
import {
  prepareVerifierPlaces,
  removeVerifierPlaces,
  type VerifierPlaces,
} from './verifier-places.ts';
import { SHIM_PRELUDE } from './verifier-shim.ts';

/** What a run decides about grading. */
export type GradingOptions = Readonly<{
  rewardKey: string | null;
  verifierShim: boolean;
  verifierTimeoutMs: number;
  verifierEnv: Readonly<Record<string, string>>;
}>;

/** All that the steps of one grading share. root: whether the tests run apart from what the agent could change. */
type Grading = Readonly<{
  folder: TaskFolder;
  tools: ToolContext;
  sandbox: Sandbox;
  options: GradingOptions;
  root: 'fresh' | 'shared';
}>;

/** Grades what the sandbox holds: fresh folders, tests uploaded, test.sh run, reward file read. The exit code never decides. */
export async function computeReward(
  folder: TaskFolder,
  tools: ToolContext,
  options: GradingOptions,
): Promise<Verdict> {
  const { sandbox } = tools;
  if (sandbox === null)
    throw new SandboxError('UNSUPPORTED', 'request', `${folder.name} is graded in a sandbox`);
  const root = hasFreshRoot(folder, sandbox.capabilities) ? 'fresh' : 'shared';
  const grading: Grading = { folder, tools, sandbox, options, root };
  const running = mayStop(grading) ? await stopProcesses(tools, sandbox) : null;
  if (running !== null) return couldNotScore('verifier_setup', running);
  const prepared = await prepareVerifierPlaces(tools, sandbox);
  if (!prepared.ok) return couldNotScore('verifier_setup', prepared.message);
  const { places } = prepared;
  try {
    return await grade(grading, places);
  } finally {
    await removeVerifierPlaces(tools, places);
  }
}

async function grade(grading: Grading, places: VerifierPlaces): Promise<Verdict> {
  const { folder, tools, sandbox, options } = grading;
  const carried = await carriedDetails(grading);
  const end = await runTests(grading, places);
  const details = { ...endDetails(end), ...carried };
  if (end.failure !== null) return couldNotScore(end.failure.cause, end.failure.message, details);
  const { verifierDir } = places;
  const unsettled = mayStop(grading) ? await settleVerifier(tools, sandbox, verifierDir) : null;
  if (unsettled !== null) return couldNotScore('verifier_crashed', unsettled, details);
  const found = await readReward(tools, verifierDir, folder.rewardNames);
  const ctrf = await readCtrf(tools, verifierDir);
  const all = { ...details, rewardFile: found.file, ...(ctrf === null ? {} : { ctrf }) };
  return rewardVerdict(folder, end, found, options.rewardKey, all);
}

function runTests(grading: Grading, places: VerifierPlaces): Promise<VerifierEnd> {
  const { folder, tools, options } = grading;
  return runVerifier(tools, {
    testsSource: join(folder.dir, 'tests'),
    places,
    env: options.verifierEnv,
    user: folder.verifierUser,
    timeoutMs: options.verifierTimeoutMs,
    prelude: `${PYTHON_PRELUDE}${options.verifierShim ? SHIM_PRELUDE : ''}`,
    background: mayStop(grading) ? 'adopt' : 'kill',
  });
}

/** In the verifier's own sandbox nothing of the agent's runs; what still runs there was begun by the tests. */
function mayStop({ folder, root }: Grading): boolean {
  return folder.grading.processes === 'end' || root === 'fresh';
}

/** Read before the tests run, which may change it. */
async function carriedDetails({ tools, root }: Grading): Promise<JsonObject> {
  const notes = root === 'fresh' ? await tools.readText(NOT_CARRIED_FILE) : null;
  return { root, ...(notes?.ok === true ? { notCarried: notes.value.trim() } : {}) };
}

function endDetails(end: VerifierEnd): JsonObject {
  return { exitCode: end.exitCode, stdoutTail: logTail(end.log), stdoutBytes: end.logBytes };
}
