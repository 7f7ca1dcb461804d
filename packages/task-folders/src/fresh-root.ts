import type { SandboxNeeds } from '@hermes/env-core';
import { type Capabilities, SandboxError } from '@hermes/sandbox';
import type { TaskFolder } from './types.ts';

/** Beside what the agent may have filled: room for the tests and what they write. */
const VERIFIER_DISK_BYTES = 256 * 1024 * 1024;

/**
 * Whether the verifier works in a sandbox of its own. One with a root of its own loses nothing of the agent's system there
 * when it is made anew, because the agent could not change it; where images are run, the agent may have installed what is
 * tested, unless the task shows that it means no such thing.
 */
export function hasFreshRoot(
  { grading }: Pick<TaskFolder, 'grading'>,
  {
    absolutePaths,
    images,
    isolation,
  }: Pick<Capabilities, 'absolutePaths' | 'images' | 'isolation'>,
): boolean {
  if (grading.root === 'shared' || isolation === 'none' || !absolutePaths) return false;
  if (grading.carries === 'artifacts' || images !== true) return true;
  // What the agent left running is reached in its own container alone.
  return grading.system === 'any' && grading.processes === 'end';
}

/**
 * What the verifier's own sandbox must offer; null = it works in the agent's. Throws SandboxError UNSUPPORTED where the task
 * asks for a separate verifier and none can be had.
 */
export function verifierNeeds(
  folder: TaskFolder,
  capabilities: Capabilities,
  needs: SandboxNeeds,
): SandboxNeeds | null {
  if (hasFreshRoot(folder, capabilities)) return withRoom(needs);
  if (folder.grading.carries === 'all') return null;
  const message = `${folder.name} asks for a separate verifier, which needs a sandbox with a root of its own: use \`--sandbox bubblewrap\``;
  throw new SandboxError('UNSUPPORTED', 'request', message);
}

function withRoom(needs: SandboxNeeds): SandboxNeeds {
  const { resources } = needs;
  if (resources?.diskBytes === undefined) return needs;
  const diskBytes = resources.diskBytes + VERIFIER_DISK_BYTES;
  return { ...needs, resources: { ...resources, diskBytes } };
}
