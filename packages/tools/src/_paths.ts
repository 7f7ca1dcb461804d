import type { Sandbox } from '@hermes/sandbox';
import type { ToolResources } from './types.ts';

/** The shell's folder: where relative paths of a model start. */
export function currentFolder(resources: ToolResources, sandbox: Sandbox): string {
  return resources.shell.cwd ?? sandbox.info.workdir;
}

/**
 * A model's path as an absolute one of the sandbox. `..` stays: behind a link it means another
 * folder than its spelling says.
 */
export async function absolutePath(
  path: string,
  resources: ToolResources,
  sandbox: Sandbox,
): Promise<string> {
  if (path.startsWith('/')) return path;
  if (path === '~' || path.startsWith('~/')) {
    return `${await homeFolder(sandbox)}${path.slice(1)}`;
  }
  const folder = currentFolder(resources, sandbox);
  return path === '.' ? folder : `${folder.replace(/\/+$/, '')}/${path}`;
}

async function homeFolder(sandbox: Sandbox): Promise<string> {
  if (!sandbox.capabilities.shell) return sandbox.info.workdir;
  const script = 'printf %s "$HOME"';
  const result = await sandbox.exec({ command: { script }, timeoutMs: 10_000 });
  const home = new TextDecoder().decode(result.stdout.bytes);
  return home.startsWith('/') ? home.replace(/\/+$/, '') : sandbox.info.workdir;
}
