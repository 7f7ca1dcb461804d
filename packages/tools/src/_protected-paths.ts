import { posix } from 'node:path';
import type { Sandbox } from '@hermes/sandbox';

const SYSTEM_FOLDERS = ['/etc/', '/boot/', '/usr/lib/systemd/'];
const SOCKETS: ReadonlySet<string> = new Set(['/var/run/docker.sock', '/run/docker.sock']);
const PRIVATE_FOLDERS = /\/\.(?:ssh|aws|gnupg|kube|docker|azure|config\/gh)(?:\/|$)/;
const PRIVATE_FILES =
  /\/\.(?:bashrc|bash_profile|bash_login|profile|zshrc|zprofile|netrc|pgpass|npmrc|pypirc)$/;

/** Only where the sandbox is the user's own machine is there something to protect. */
export function isProtectedFrom(sandbox: Sandbox, path: string): boolean {
  if (sandbox.capabilities.isolation !== 'none') return false;
  const plain = posix.normalize(path);
  if (SOCKETS.has(plain) || SYSTEM_FOLDERS.some((folder) => plain.startsWith(folder))) return true;
  return PRIVATE_FOLDERS.test(plain) || PRIVATE_FILES.test(plain);
}
