import { readdirSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { settingsError } from '@hermes/sandbox/host';
import { type ConfigLine, parseSshConfig } from './ssh-config.ts';
import { fitsWildcard } from './wildcard.ts';

/** How files of this machine are looked at. */
export type LocalFiles = Readonly<{
  /** Null when there is none. */
  read(path: string): string | null;
  /** The names in a folder; none when it cannot be read. */
  list(folder: string): readonly string[];
}>;

export const systemFiles: LocalFiles = {
  read(path) {
    try {
      return readFileSync(path, 'utf8');
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw settingsError('ssh', `the ssh configuration ${path} cannot be read: ${String(cause)}`);
    }
  },
  list(folder) {
    try {
      return readdirSync(folder).sort();
    } catch {
      return [];
    }
  },
};

/** As deep as OpenSSH follows files that include others. */
const DEEPEST_INCLUDE = 16;

/** The lines of these files, one after the other. expand: a path with `~` as a whole one. */
export function readSshConfig(
  paths: readonly string[],
  expand: (path: string) => string,
  files: LocalFiles,
): readonly ConfigLine[] {
  const readOne = (path: string, depth: number): readonly ConfigLine[] => {
    const text = files.read(path);
    if (text === null || depth > DEEPEST_INCLUDE) return [];
    return parseSshConfig(text, (pattern) => {
      const named = expand(pattern);
      const whole = isAbsolute(named) ? named : join(dirname(path), named);
      return pathsOf(whole, files).flatMap((one) => readOne(one, depth + 1));
    });
  };
  return paths.flatMap((path) => readOne(expand(path), 0));
}

/** Wildcards stand for the names in one folder. */
function pathsOf(pattern: string, files: LocalFiles): readonly string[] {
  const folder = dirname(pattern);
  const name = pattern.slice(folder.length).replace(/^\//, '');
  if (!/[*?]/.test(name)) return [pattern];
  const names = files.list(folder).filter((one) => fitsWildcard(name, one) && !one.startsWith('.'));
  return names.map((one) => join(folder, one));
}
