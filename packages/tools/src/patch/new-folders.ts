import { posix } from 'node:path';
import type { SandboxFiles } from '@hermes/sandbox';

/** The folders that writing to a path will make, the innermost first. null: nothing is written. */
export async function missingFolders(
  files: SandboxFiles,
  path: string | null,
): Promise<readonly string[]> {
  const missing: string[] = [];
  let folder = posix.dirname(path ?? '/');
  while (folder !== '/' && !(await files.stat(folder)).ok) {
    missing.push(folder);
    folder = posix.dirname(folder);
  }
  return missing;
}

/** Removes folders in their order as long as there is nothing in them. */
export async function removeEmpty(files: SandboxFiles, folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    const entries = await files.list(folder);
    if (!entries.ok || entries.value.length > 0) return;
    await files.remove(folder, { recursive: true });
  }
}
