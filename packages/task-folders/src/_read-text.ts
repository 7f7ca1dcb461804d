import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { taskError } from './_task-error.ts';

/** The text of a file inside a task folder; null where there is none. Throws TASK for what is no readable UTF-8 text. */
export async function readTextOrNull(dir: string, name: string): Promise<string | null> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(join(dir, name)));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    if (error instanceof TypeError) throw taskError(join(dir, name), 'is no UTF-8 text', error);
    const reason = error instanceof Error ? error.message : String(error);
    throw taskError(join(dir, name), reason, error);
  }
}
