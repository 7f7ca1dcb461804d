import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Errored, JsonObject } from '@hermes/protocol';
import type { Sandbox } from '@hermes/sandbox';
import { within } from './_deadline.ts';
import type { TryState } from './_try-state.ts';

const LIMIT_MS = 30_000;
const MAX_BYTES = 50 * 1024 * 1024;

/**
 * Keeps what the agent has made in a try that could not be scored: the working directory, and the changes of a git repository as a patch, in
 * the artifacts of the rollout. `work.json` tells an empty patch from work that never began. Never throws.
 */
export async function keepWork(state: TryState<unknown>, errored: Errored): Promise<void> {
  const folder = state.context.options.directory?.artifacts(state.rolloutId);
  const sandbox = sandboxOf(state);
  if (folder === undefined || sandbox === null || errored.reason === 'cancelled') return;
  try {
    await within(state.context.alarms, LIMIT_MS, keep(state, sandbox, folder));
  } catch (error) {
    const { logger } = state.context.effects;
    logger.log('warn', `The work of ${state.rolloutId} was not kept: ${String(error)}`);
    state.emit({ type: 'gap', code: 'work_lost', invocationId: null, detail: String(error) });
  }
}

/** The agent's, once its turn has begun. Where it was ended for the verdict, the verifier's: that holds what the agent left. */
function sandboxOf(state: TryState<unknown>): Sandbox | null {
  const of = (role: 'agent' | 'verifier') => state.sandboxes.find((owned) => owned.role === role);
  const agent = of('agent');
  if (!state.modelAsked || agent === undefined) return null;
  const owned = agent.ending === null ? agent : of('verifier');
  return owned === undefined || owned.sandbox.gone.aborted ? null : owned.sandbox;
}

async function keep(state: TryState<unknown>, sandbox: Sandbox, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const toolCalls = state.agent?.toolCalls.attempted ?? null;
  const kept = toolCalls === 0 ? NOTHING_TRIED : await keepFiles(sandbox, folder);
  await writeFile(
    join(folder, 'work.json'),
    `${JSON.stringify({ toolCalls, ...kept }, null, 2)}\n`,
  );
}

/** workspace, patch: names beside `work.json`; null = there is none. patchBytes: 0 = the agent tried, and changed no tracked or new file. */
const NOTHING_TRIED = { workspace: null, patch: null, patchBytes: null, problem: null };

async function keepFiles(sandbox: Sandbox, folder: string): Promise<JsonObject> {
  const patch = await readPatch(sandbox);
  if (patch !== null) await writeFile(join(folder, 'work.patch'), patch);
  const place = join(folder, 'workspace');
  const got = await sandbox.files.downloadTree(sandbox.info.workdir, place, {
    maxBytes: MAX_BYTES,
  });
  if (!got.ok) await rm(place, { recursive: true, force: true });
  return {
    workspace: got.ok ? 'workspace' : null,
    patch: patch === null ? null : 'work.patch',
    patchBytes: patch?.byteLength ?? null,
    problem: got.ok ? null : `workspace: ${got.code} (${got.path})`,
  };
}

/** New files are shown too. null: no git, no repository, or more than is kept. */
async function readPatch(sandbox: Sandbox): Promise<Uint8Array | null> {
  if (!sandbox.capabilities.shell) return null;
  const result = await sandbox.exec({
    command: {
      script:
        'git rev-parse -q --verify HEAD >/dev/null && git add -A -N . && git --no-pager diff --binary HEAD',
    },
    timeoutMs: LIMIT_MS,
    output: { maxBytes: MAX_BYTES, killAtLimit: true },
  });
  const isWhole = result.status === 'exited' && result.exitCode === 0;
  return isWhole && result.stdout.droppedBytes === 0 ? result.stdout.bytes : null;
}
