import { posix } from 'node:path';
import type { Dockerfile } from './types.ts';

const PLACE = /(?<![\w.}/-])\/(?:app|tests|logs|solution)(?![\w.-])/;
const GIVEN_DEFAULT = /\$\{(?:VERIFIER_DIR|TESTS_DIR):-[^}]*\}/g;

/**
 * Whether a task uses the format's absolute places (`/app`, `/tests`, `/logs`, `/solution`), by its instruction and its
 * scripts. The defaults of the two variables that the verifier is given do not count.
 */
export function usesAbsolutePaths(
  instruction: string,
  scripts: readonly string[],
  dockerfile: Dockerfile | null,
): boolean {
  if (PLACE.test(instruction) || dockerfileNeedsThem(dockerfile)) return true;
  return scripts.some((text) => PLACE.test(text.replace(GIVEN_DEFAULT, '')));
}

/** WORKDIR and what is copied into it move with the working directory; anything else stays where it is. */
function dockerfileNeedsThem(dockerfile: Dockerfile | null): boolean {
  if (dockerfile?.kind !== 'simple') return false;
  const { workdir, files, env } = dockerfile;
  const isOutside = files.some((file) => posix.relative(workdir, file.path).startsWith('..'));
  return isOutside || Object.values(env).some((value) => PLACE.test(value));
}
