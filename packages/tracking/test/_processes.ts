import { readdirSync, readlinkSync } from 'node:fs';

/** Processes whose working folder this is: the client's own ones have inherited it. */
export function processesIn(folder: string): readonly string[] {
  return readdirSync('/proc').filter((id) => /^\d+$/.test(id) && workingFolder(id) === folder);
}

function workingFolder(id: string): string | null {
  try {
    return readlinkSync(`/proc/${id}/cwd`);
  } catch {
    return null; // it ended meanwhile, or is not ours
  }
}
