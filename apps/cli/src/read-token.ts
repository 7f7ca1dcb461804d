import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { HermesError } from '@hermes/protocol';
import type { CliContext } from './context.ts';

/** The bits of a file's mode that let others read or change it. */
const OTHERS = 0o077;

/** A token out of a file, since every user of the machine sees a command line; null = no file was named. flag: how messages call it. */
export async function readToken(
  flag: string,
  file: string | undefined,
  { workingDirectory, stderr }: Pick<CliContext, 'workingDirectory' | 'stderr'>,
): Promise<string | null> {
  if (file === undefined) return null;
  const path = resolve(workingDirectory, file);
  const token = await readFile(path, 'utf8').then(
    (text) => text.trim(),
    (cause: Error) => {
      throw wrong(`${flag} ${file}: ${cause.message}`);
    },
  );
  if (token === '') throw wrong(`${flag} ${file}: the file is empty; give a token`);
  if (((await stat(path)).mode & OTHERS) !== 0)
    stderr.write(`note: other users can read ${file}; chmod 600 it\n`);
  return token;
}

function wrong(message: string): HermesError {
  return new HermesError('config', 'CONFIG', message);
}
