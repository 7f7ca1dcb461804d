import { SandboxError, type SandboxRef, type SandboxSpec } from '@hermes/sandbox';
import { unsupported } from '@hermes/sandbox/host';
import { noRoom } from './check-room.ts';
import type { Errands } from './errands.ts';
import { cgroupVariables } from './remote-cgroups.ts';
import type { RemoteHost } from './remote-host.ts';
import type { SandboxRecord } from './sandbox-record.ts';
import { CREATE } from './scripts/create-sandbox.ts';

const EXIT_TAKEN = 3;
const EXIT_NO_USER = 4;
const EXIT_PORT_TAKEN = 5;
const EXIT_LIMIT_REFUSED = 6;
const REFUSALS = [EXIT_NO_USER, EXIT_PORT_TAKEN, EXIT_LIMIT_REFUSED];

type Claim = Readonly<{ errands: Errands; host: RemoteHost; record: SandboxRecord }>;

/** Makes all that a sandbox has on its host. Throws CONFIG when its key is taken, UNSUPPORTED or CAPACITY; what was made by then is left to the caller. It takes no signal: who ends the script in the middle cannot know what it goes on to make. */
export async function claimSandbox(
  { errands, host, record }: Claim,
  { resources }: SandboxSpec,
): Promise<void> {
  const { ref, user, workdir, ports, cgroup } = record;
  const args = [host.rootDir, ref.id, user ?? '', workdir, ...ports.map(String)];
  // Its labels hold the channel's token: arguments can be read by every user of the host.
  const variables = { record: JSON.stringify(record), ...cgroupVariables(cgroup, resources) };
  const { exitCode, errors } = await errands.run(CREATE, { args, variables });
  if (exitCode === 0) return;
  if (exitCode === EXIT_TAKEN) throw taken(ref);
  if (REFUSALS.includes(exitCode)) throw unsupported(`create a sandbox over ssh: ${errors}`);
  throw noRoom(`create a sandbox over ssh in ${host.rootDir}: ${errors}`);
}

/** Then the sandbox that is there is another's. */
export function isTaken(cause: unknown): boolean {
  return SandboxError.isInstance(cause) && cause.code === 'CONFIG';
}

/** Then the host could not make it, for want of room or of the folder. */
export function isCapacity(cause: unknown): boolean {
  return SandboxError.isInstance(cause) && cause.code === 'CAPACITY';
}

function taken({ id }: SandboxRef): SandboxError {
  const message = `create a sandbox over ssh: ${id}, a sandbox of the same key, is there; destroy it first`;
  return new SandboxError('CONFIG', 'request', message);
}
