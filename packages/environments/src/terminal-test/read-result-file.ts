import { posix } from 'node:path';
import { SandboxError } from '@hermes/sandbox';
import type { ToolContext } from '@hermes/tools';

/** The text of the file, or why there is none: an honest 0. */
export type ResultFile = Readonly<{ ok: true; text: string } | { ok: false; why: string }>;

const MAX_BYTES = 1024 * 1024;

/** Reads a regular file through the sandbox's file channel: no command of the agent's making takes part. */
export async function readResultFile(tools: ToolContext, path: string): Promise<ResultFile> {
  const place = posix.join(await homeOf(tools), path.replace(/^~\//, ''));
  const target = posix.isAbsolute(path) ? path : place;
  const stat = await tools.stat(target);
  if (!stat.ok) return { ok: false, why: stat.code };
  if (stat.value.type !== 'file') return { ok: false, why: `is a ${stat.value.type}` };
  if (stat.value.size > MAX_BYTES) return { ok: false, why: 'FILE_TOO_LARGE' };
  const read = await tools.readText(target);
  return read.ok ? { ok: true, text: read.value } : { ok: false, why: read.code };
}

async function homeOf(tools: ToolContext): Promise<string> {
  const result = await tools.exec({ script: 'printf %s "$HOME"', shell: 'sh' });
  const home = result.stdout.text();
  if (result.status === 'exited' && posix.isAbsolute(home)) return home;
  const said = result.stderr.text().trim() || result.status;
  throw new SandboxError('SANDBOX_UNHEALTHY', 'sandbox', `The home folder is not known: ${said}`);
}
