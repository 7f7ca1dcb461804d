import { posix } from 'node:path';
import type { Sandbox } from '@hermes/sandbox';
import { realPath } from './_follow-links.ts';

const SYSTEM_FOLDERS = ['/etc/', '/boot/', '/usr/lib/systemd/'];
const SOCKETS: ReadonlySet<string> = new Set(['/var/run/docker.sock', '/run/docker.sock']);
const PRIVATE_FOLDERS = /\/\.(?:ssh|aws|gnupg|kube|docker|azure|config\/gh)(?:\/|$)/;
const PRIVATE_FILES =
  /\/\.(?:bashrc|bash_profile|bash_login|profile|zshrc|zprofile|netrc|pgpass|npmrc|pypirc)$/;

/** Only where the sandbox is the user's own machine is there something to protect. */
export async function isProtectedFrom(sandbox: Sandbox, path: string): Promise<boolean> {
  if (sandbox.capabilities.isolation !== 'none') return false;
  return isProtected(posix.normalize(path)) || isProtected(await realPath(sandbox.files, path));
}

function isProtected(path: string): boolean {
  if (SOCKETS.has(path) || SYSTEM_FOLDERS.some((folder) => path.startsWith(folder))) return true;
  return PRIVATE_FOLDERS.test(path) || PRIVATE_FILES.test(path);
}
