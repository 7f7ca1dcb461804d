import { once } from 'node:events';
import { chmod, lstat } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { HermesError } from '@hermes/protocol';
import { makeTransferFolder, removeTree } from '@hermes/sandbox/host';
import type { ToolContext } from '@hermes/tools';
import { clearPlace } from './_clear-place.ts';
import { removeStartupFiles } from './_startup-files.ts';
import { treeBytes } from './_tree-bytes.ts';
import { removeVerifierLinks } from './_verifier-links.ts';
import { carriedPlaces } from './carried-places.ts';
import type { CollectCommand, TaskFolder } from './types.ts';

/** In the verifier's sandbox: what of the agent's could not be brought there, and why. */
export const NOT_CARRIED_FILE = '/run/hermes-not-carried.txt';

const MAKE_READABLE_MS = 60_000;
/** Of one answer, on this machine's disk. A single folder is bounded at 1 GiB by the transfer itself. */
const MAX_CARRIED_BYTES = 2 * 1024 ** 3;

/** Faults of names that the agent chose. This machine's own faults are not among them. */
const NAME_FAULTS = ['ENAMETOOLONG', 'ELOOP', 'EILSEQ', 'EINVAL'];

/**
 * Brings what the agent left into a fresh sandbox, as data: files travel by way of this machine, owners and running
 * processes do not, and no link leads to where the verifier works. What cannot be brought is missing for the tests, as it
 * would be for anybody. Throws where this machine or the verifier's sandbox has no room.
 */
export async function handOver(
  folder: TaskFolder,
  agent: ToolContext,
  verifier: ToolContext,
  signal: AbortSignal,
): Promise<void> {
  const stage = await makeTransferFolder();
  try {
    for (const command of folder.collect) await collect(command, agent);
    const home = await homeOf(verifier);
    const places = await carriedPlaces(folder, { agent, verifier }, home);
    let bytes = 0;
    const fetched = await each(places, async (place) => {
      if (bytes > MAX_CARRIED_BYTES) return 'FILE_TOO_LARGE';
      const code = await fetchPlace(agent, place, join(stage, place));
      bytes += await treeBytes(join(stage, place));
      if (code === null && folder.grading.carries === 'all') await clearPlace(verifier, place);
      return code;
    });
    await removeStartupFiles(stage, home, folder.instruction);
    await removeVerifierLinks(stage);
    const put = await each(places, (place) => putPlace(verifier, place, join(stage, place)));
    const notes = [...fetched, ...put];
    if (notes.length > 0) await verifier.write(NOT_CARRIED_FILE, `${notes.join('\n')}\n`);
  } finally {
    // A transfer that was given up writes on until its sandbox is gone.
    if (signal.aborted) await goneOf(agent);
    await removeTree(stage);
  }
}

async function goneOf({ sandbox }: ToolContext): Promise<void> {
  if (sandbox === null || sandbox.gone.aborted) return;
  await once(sandbox.gone, 'abort');
}

/** Asked of the verifier's sandbox: in the agent's, anything might answer. */
async function homeOf(verifier: ToolContext): Promise<string> {
  const result = await verifier.exec('printf %s "$HOME"', { cwd: '/' });
  return posix.resolve('/', result.stdout.text());
}

/** How it ends decides nothing: what it should have made is there, or is missing for the tests. */
async function collect(
  { command, timeoutMs, user }: CollectCommand,
  agent: ToolContext,
): Promise<void> {
  await agent.exec(command, { timeoutMs, ...(user === null ? {} : { user }) });
}

/** One after the other; what each could not do is a line. */
async function each(
  places: readonly string[],
  step: (place: string) => Promise<string | null>,
): Promise<string[]> {
  const notes: string[] = [];
  for (const place of places) {
    const code = await step(place);
    if (code !== null) notes.push(`${place}: ${code}`);
  }
  return notes;
}

/** null = done, or there is nothing. */
async function fetchPlace(
  agent: ToolContext,
  place: string,
  local: string,
): Promise<string | null> {
  const stat = await agent.stat(place);
  if (!stat.ok && stat.code === 'FILE_NOT_FOUND') return null;
  let code = await download(agent, place, local);
  if (code === 'PERMISSION') {
    await makeReadable(agent, place);
    await removeTree(local);
    code = await download(agent, place, local);
  }
  if (code === 'NO_SPACE') throw failed('VERIFIER_DOWNLOAD', place, code);
  if (code !== null) await removeTree(local);
  else if (stat.ok && stat.value.type === 'file') await chmod(local, stat.value.mode);
  return code;
}

async function download(agent: ToolContext, place: string, local: string): Promise<string | null> {
  try {
    const result = await agent.download(place, local);
    return result.ok ? null : result.code;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!NAME_FAULTS.includes(code)) throw error;
    return code;
  }
}

/** An agent's own folders may be closed to their owner, and then the whole tree could not be read. */
async function makeReadable(agent: ToolContext, place: string): Promise<void> {
  const command = { argv: ['chmod', '-R', 'u+rX', '--', place] } as const;
  await agent.exec(command, { cwd: '/', timeoutMs: MAKE_READABLE_MS });
}

async function putPlace(
  verifier: ToolContext,
  place: string,
  local: string,
): Promise<string | null> {
  if ((await lstat(local).catch(() => null)) === null) return null;
  const result = await verifier.upload(local, place);
  if (!result.ok && result.code === 'NO_SPACE') throw failed('VERIFIER_SETUP', place, result.code);
  return result.ok ? null : result.code;
}

function failed(code: string, place: string, reason: string): HermesError {
  const message = `${place} could not be brought from the agent's sandbox to the verifier's: ${reason}`;
  return new HermesError('verifier', code, message);
}
