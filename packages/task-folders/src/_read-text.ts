import { readFile, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { taskError } from './_task-error.ts';

const MAX_TEXT_BYTES = 8 * 1024 * 1024;

/**
 * The text of a file inside a task folder; null where there is none. Throws TASK for what is no readable UTF-8 text: pipes and
 * devices are not opened, and links that lead out of the task folder are not followed.
 */
export async function readTextOrNull(dir: string, name: string): Promise<string | null> {
  const path = join(dir, name);
  try {
    await refuseOutside(dir, name);
    const info = await stat(path);
    if (!info.isFile()) throw taskError(path, 'is no regular file');
    if (info.size > MAX_TEXT_BYTES) throw taskError(path, `has more than ${MAX_TEXT_BYTES} bytes`);
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'TASK') throw error;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    if (error instanceof TypeError) throw taskError(path, 'is no UTF-8 text', error);
    const reason = error instanceof Error ? error.message : String(error);
    throw taskError(path, reason, error);
  }
}

/** Throws TASK where `name`, links followed, lies outside of `dir`: a task's author has no say over the host's files. */
export async function refuseOutside(dir: string, name: string): Promise<void> {
  const [root, target] = await Promise.all([realpath(dir), realpath(join(dir, name))]);
  if (target !== root && !target.startsWith(`${root}${sep}`))
    throw taskError(join(dir, name), 'is a link that leads out of the task folder');
}
