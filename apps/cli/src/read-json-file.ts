import { readFile } from 'node:fs/promises';
import { HermesError } from '@hermes/protocol';

/** The JSON of a file that a flag names. A message says which flag and file is wrong, and how. */
export async function readJsonFile(path: string, shown: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw badFile(shown, cause.code === 'ENOENT' ? 'there is no such file' : cause.message, cause);
  });
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw badFile(shown, cause instanceof Error ? cause.message : String(cause), cause);
  }
}

function badFile(shown: string, reason: string, cause: unknown): HermesError {
  return new HermesError('config', 'CONFIG', `${shown}: ${reason}`, { cause });
}
