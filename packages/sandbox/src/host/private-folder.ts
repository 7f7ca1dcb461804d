import { lstat, mkdir, realpath } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { SandboxError } from '../types.ts';

/** Makes a folder of this user's own where it is absent, and returns its real path. Throws CONFIG when others could change it. */
export async function openPrivateFolder(path: string): Promise<string> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  if (await isPrivateFolder(path)) return realpath(path);
  const message = `open the folder of the sandboxes: rootDir ${path} must be a folder that belongs to you and that nobody else may write to: chmod 700 it, or choose another`;
  throw new SandboxError('CONFIG', 'provider', message);
}

/** True for a folder, not a link to one, that belongs to this user and that nobody else may write to. */
export async function isPrivateFolder(path: string): Promise<boolean> {
  try {
    const stat = await lstat(path);
    return stat.isDirectory() && stat.uid === userInfo().uid && (stat.mode & 0o022) === 0;
  } catch {
    return false;
  }
}
