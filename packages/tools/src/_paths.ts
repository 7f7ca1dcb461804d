import { posix } from 'node:path';
import type { Sandbox } from '@hermes/sandbox';
import type { ToolResources } from './types.ts';

/** The shell's folder: where relative paths of a model start. */
export function currentFolder(resources: ToolResources, sandbox: Sandbox): string {
  return resources.shell.cwd ?? sandbox.info.workdir;
}

/** A model's path as an absolute one of the sandbox, spelled plainly. */
export async function absolutePath(
  path: string,
  resources: ToolResources,
  sandbox: Sandbox,
): Promise<string> {
  return plainPath(await fromRoot(path, resources, sandbox));
}

/** Without `.` and doubled slashes. `..` stays: behind a link it means another folder than its spelling says. */
export function plainPath(path: string): string {
  return path.split('/').includes('..') ? path : posix.normalize(path);
}

async function fromRoot(path: string, resources: ToolResources, sandbox: Sandbox): Promise<string> {
  if (path.startsWith('/')) return path;
  if (path === '~' || path.startsWith('~/')) {
    return `${await homeFolder(sandbox)}${path.slice(1)}`;
  }
  return path === '.'
    ? currentFolder(resources, sandbox)
    : `${currentFolder(resources, sandbox)}/${path}`;
}

async function homeFolder(sandbox: Sandbox): Promise<string> {
  if (!sandbox.capabilities.shell) return sandbox.info.workdir;
  const script = 'printf %s "$HOME"';
  const result = await sandbox.exec({ command: { script }, timeoutMs: 10_000 });
  const home = new TextDecoder().decode(result.stdout.bytes);
  return home.startsWith('/') ? home.replace(/\/+$/, '') : sandbox.info.workdir;
}
