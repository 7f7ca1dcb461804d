import { SandboxError } from '@hermes/sandbox';
import type { Errands } from './errands.ts';
import { CHECK_ROOM } from './scripts/check-room.ts';

/** Throws CAPACITY when the host's disk has no room for sandboxes. */
export async function checkRoom(
  errands: Errands,
  rootDir: string,
  signal?: AbortSignal,
): Promise<void> {
  const script = `${CHECK_ROOM} check_room "$1"`;
  const { exitCode, errors } = await errands.run(script, { args: [rootDir], signal });
  if (exitCode !== 0) throw noRoom(`keep sandboxes over ssh in ${rootDir}: ${errors}`);
}

/** What did not fit, with what to do. */
export function noRoom(what: string): SandboxError {
  const message = `${what}; make room there, or set rootDir to a place that has some`;
  return new SandboxError('CAPACITY', 'sandbox', message, { retryable: true });
}
