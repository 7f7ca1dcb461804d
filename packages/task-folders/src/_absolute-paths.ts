import { posix } from 'node:path';
import { listFiles } from './_digest.ts';
import { readTextOrNull } from './_read-text.ts';
import type { Dockerfile } from './types.ts';

const PLACE = /(?<![\w.}/-])\/(?:app|tests|logs|solution)(?![\w.-])/;
const GIVEN_DEFAULT = /\$\{(?:VERIFIER_DIR|TESTS_DIR):-[^}]*\}/g;
const SCRIPT = /\.(?:sh|bash|py|pl|rb|js)$/;

/**
 * Whether a task uses the format's absolute places (`/app`, `/tests`, `/logs`, `/solution`), found by reading its
 * instruction and its scripts. Comments, and the defaults of the two variables that the verifier is given, do not count.
 */
export async function usesAbsolutePaths(
  dir: string,
  instruction: string,
  dockerfile: Dockerfile | null,
): Promise<boolean> {
  if (PLACE.test(instruction) || dockerfileNeedsThem(dockerfile)) return true;
  const files = [...(await scripts(dir, 'tests')), ...(await scripts(dir, 'solution'))];
  for (const file of files) {
    const text = await readTextOrNull(dir, file);
    if (text !== null && PLACE.test(withoutComments(text).replace(GIVEN_DEFAULT, ''))) return true;
  }
  return false;
}

async function scripts(dir: string, folder: string): Promise<string[]> {
  const isThere =
    (await readTextOrNull(dir, `${folder}/test.sh`)) ??
    (await readTextOrNull(dir, `${folder}/solve.sh`));
  if (isThere === null) return [];
  return (await listFiles(dir, folder))
    .map((file) => file.path)
    .filter((path) => SCRIPT.test(path));
}

function withoutComments(text: string): string {
  return text.replace(/^\s*#.*$/gm, '');
}

/** WORKDIR and what is copied into it move with the working directory; anything else stays where it is. */
function dockerfileNeedsThem(dockerfile: Dockerfile | null): boolean {
  if (dockerfile?.kind !== 'simple') return false;
  const { workdir, files, env } = dockerfile;
  const isOutside = files.some((file) => posix.relative(workdir, file.path).startsWith('..'));
  return isOutside || Object.values(env).some((value) => PLACE.test(value));
}
